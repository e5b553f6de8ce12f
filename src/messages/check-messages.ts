import { type Finding, type Key, type LineRef, type LogRecord, lineFinder, type SessionId } from '../model/index.ts';
import type { Sketch, Tree } from '../tree/index.ts';
import { type ResultsAt, type StrayResult, strayResults } from './stray-results.ts';
import { breaks, isBefore, type MessageFinding } from './validate.ts';

/** A rule that is broken, and the line that does it; without one it is the first of the record. */
interface Found {
  readonly broken: MessageFinding;
  readonly at: LineRef | null;
}

/** The rules for extracted messages (M5), over every session of a tree; `only`: of these files. */
export function checkMessages(tree: Tree, only?: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  for (const session of tree.sessionIds()) {
    const { roots, subagents } = tree.session(session);
    const starters = new Set([...roots, ...subagents.flatMap((subagent) => subagent.roots)]);
    for (const { broken, at } of linksIn(tree, session).check(starters)) {
      const place = at ?? tree.record(broken.record)?.lines[0]?.ref;
      if (place && (!only || only.has(place.file)))
        findings.push(findingOf(broken, tree.filePath(place.file), place.line));
    }
  }
  return findings;
}

function linksIn(tree: Tree, session: SessionId): Links {
  const links = new Links((ref) => tree.resultsAt(ref));
  for (const sketch of tree.sketches(session)) {
    links.add(sketch);
    const record = sketch.isPlain ? null : tree.record(sketch.id);
    if (record) links.addTools(record);
  }
  return links;
}

/**
 * What the rules ask of the messages of a session, as `extract.ts` makes them, without making them: a session may have hundreds of
 * thousands. A parent that is nowhere (v2) and a circle (c1) are asked of the lines: messages hang on nothing there (H11). The other rules
 * no log breaks: each call with an id is a message (v5), and tool messages are sidechains (v3) below the record they come from (c2).
 */
class Links {
  readonly #resultsAt: ResultsAt;
  readonly #places = new Map<Key, number>();
  readonly #types: ('assistant' | 'user')[] = [];
  readonly #parents: (Key | null)[] = [];
  readonly #times: (number | null)[] = [];
  /** Where circles were opened. */
  readonly #cut = new Set<Key>();
  /** What is wrong with calls and results, by the place of their record. */
  readonly #ofTools = new Map<number, Found[]>();

  constructor(resultsAt: ResultsAt) {
    this.#resultsAt = resultsAt;
  }

  add({ id, isAnswer, parent, missing, isCut, time }: Sketch): void {
    this.#places.set(id, this.#places.size);
    this.#types.push(isAnswer ? 'assistant' : 'user');
    this.#parents.push(parent ?? missing);
    this.#times.push(time);
    if (isCut) this.#cut.add(id);
  }

  /** Of the record that was added last. */
  addTools(record: LogRecord): void {
    const found = [
      ...this.#ofCalls(record),
      ...strayResults(record, this.#resultsAt).map((stray) => unpaired(record, stray)),
    ];
    if (found.length > 0) this.#ofTools.set(this.#places.size - 1, found);
  }

  *#ofCalls({ id, time, calls, lines }: LogRecord): Generator<Found> {
    const lineAt = lineFinder(lines);
    // Of calls that share an id the last one that has a result gives it.
    const results = new Map(calls.flatMap(({ id: call, result }) => (result ? [[call, result] as const] : [])));
    for (const [i, call] of calls.entries()) {
      const called = lineAt(call.at)?.time ?? time;
      const shared = { record: id, toolUseId: call.id };
      const use = { ...shared, uuid: `${id}_tool_${i}`, parentUuid: id, type: 'tool_use' } as const;
      if (!call.result) yield { broken: breaks('c3', use), at: call.at };
      if (isBefore(called, time)) yield { broken: breaks('c4', use), at: call.at };
      const at = call.result && results.get(call.id);
      if (!at || !isBefore(this.#resultsAt(at)?.time ?? null, called)) continue;
      const result = { ...shared, uuid: `${id}_result_${i}`, parentUuid: use.uuid, type: 'tool_result' } as const;
      yield { broken: breaks('c4', result), at };
    }
  }

  *check(starters: ReadonlySet<Key>): Generator<Found> {
    for (const [id, place] of this.#places) {
      const parentUuid = this.#parents[place] ?? null;
      const rule = parentUuid === null ? this.#brokenAlone(id, starters) : this.#brokenBelow(place, parentUuid);
      const type = this.#types[place] ?? 'user';
      if (rule !== null) yield { broken: breaks(rule, { uuid: id, parentUuid, type, record: id }), at: null };
      const ofTools = this.#ofTools.get(place);
      if (ofTools) yield* ofTools;
    }
  }

  #brokenAlone(id: Key, starters: ReadonlySet<Key>): 'v1' | 'c1' | null {
    if (this.#cut.has(id)) return 'c1';
    return starters.has(id) ? null : 'v1';
  }

  #brokenBelow(place: number, parent: Key): 'v2' | 'c4' | null {
    const above = this.#places.get(parent);
    if (above === undefined) return 'v2';
    return isBefore(this.#times[place] ?? null, this.#times[above] ?? null) ? 'c4' : null;
  }
}

const unpaired = ({ id }: LogRecord, { call, number, at }: StrayResult): Found => ({
  broken: breaks('v4', {
    uuid: `${id}_result_${number}`,
    parentUuid: id,
    type: 'tool_result',
    record: id,
    toolUseId: call,
  }),
  at,
});

const findingOf = ({ rule, type, severity, message, uuid }: MessageFinding, file: string, line: number): Finding => ({
  rule,
  type,
  severity,
  message,
  file,
  line,
  uuid,
  version: null,
  count: 1,
});
