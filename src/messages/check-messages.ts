import { type Finding, type Key, type LineRef, type LogRecord, lineFinder, type SessionId } from '../model/index.ts';
import type { Sketch, Tree } from '../tree/index.ts';
import { type StrayResult, strayResults } from './stray-results.ts';
import { breaks, isBefore, type MessageFinding } from './validate.ts';

/** The rules for extracted messages (M5), over every session of a tree; `only`: of these files. Equal findings of one file are counted. */
export function checkMessages(tree: Tree, only?: ReadonlySet<string>): Finding[] {
  const counted = new Map<string, Finding>();
  // An answer may have thousands of calls without a result: it is looked up once.
  let record: Key | null = null;
  let at: LineRef | undefined;
  for (const session of tree.sessionIds()) {
    const { roots, subagents } = tree.session(session);
    const starters = new Set([...roots, ...subagents.flatMap((subagent) => subagent.roots)]);
    for (const found of linksIn(tree, session).check(starters)) {
      if (found.record !== record) at = tree.record(found.record)?.lines[0]?.ref;
      record = found.record;
      if (!at || (only && !only.has(at.file))) continue;
      const key = `${found.rule}\n${at.file}`;
      const known = counted.get(key);
      counted.set(key, known ? { ...known, count: known.count + 1 } : findingOf(found, at));
    }
  }
  return [...counted.values()];
}

function linksIn(tree: Tree, session: SessionId): Links {
  const links = new Links();
  const resultsAt = (ref: LineRef) => tree.resultsAt(ref);
  for (const sketch of tree.sketches(session)) {
    links.add(sketch);
    const record = sketch.isPlain ? null : tree.record(sketch.id);
    if (record) links.addTools(record, strayResults(record, resultsAt));
  }
  return links;
}

/**
 * What the rules ask of the messages of a session, as `extract.ts` makes them, without making them: a session may have hundreds of
 * thousands. The other rules no tree breaks: each tool message stands below its record, and circles were opened (H11).
 */
class Links {
  readonly #places = new Map<Key, number>();
  readonly #types: ('assistant' | 'user')[] = [];
  readonly #parents: (Key | null)[] = [];
  readonly #times: (number | null)[] = [];
  /** What is wrong with calls and results, by the place of their record. */
  readonly #ofTools = new Map<number, MessageFinding[]>();

  add({ id, isAnswer, parent, time }: Sketch): void {
    this.#places.set(id, this.#places.size);
    this.#types.push(isAnswer ? 'assistant' : 'user');
    this.#parents.push(parent);
    this.#times.push(time);
  }

  /** Of the record that was added last. */
  addTools({ id, time, calls, lines }: LogRecord, strays: readonly StrayResult[]): void {
    if (calls.length === 0 && strays.length === 0) return;
    const found: MessageFinding[] = [];
    const lineAt = lineFinder(lines);
    calls.forEach((call, i) => {
      const isBack = isBefore(lineAt(call.at)?.time ?? time, time);
      // When the result came is not asked: an agent may write it down with any time.
      if (call.result && !isBack) return;
      const use = {
        uuid: `${id}_tool_${i}`,
        parentUuid: id,
        type: 'tool_use',
        record: id,
        toolUseId: call.id,
      } as const;
      if (!call.result) found.push(breaks('c3', use));
      if (isBack) found.push(breaks('c4', use));
    });
    for (const { call, number } of strays) {
      const uuid = `${id}_result_${number}`;
      found.push(breaks('v4', { uuid, parentUuid: id, type: 'tool_result', record: id, toolUseId: call }));
    }
    if (found.length > 0) this.#ofTools.set(this.#places.size - 1, found);
  }

  *check(starters: ReadonlySet<Key>): Generator<MessageFinding> {
    for (const [id, place] of this.#places) {
      const parentUuid = this.#parents[place] ?? null;
      const rule = parentUuid === null ? (starters.has(id) ? null : 'v1') : this.#brokenBelow(place, parentUuid);
      if (rule !== null) yield breaks(rule, { uuid: id, parentUuid, type: this.#types[place] ?? 'user', record: id });
      const ofTools = this.#ofTools.get(place);
      if (ofTools) yield* ofTools;
    }
  }

  #brokenBelow(place: number, parent: Key): 'v2' | 'c4' | null {
    const above = this.#places.get(parent);
    if (above === undefined) return 'v2';
    return isBefore(this.#times[place] ?? null, this.#times[above] ?? null) ? 'c4' : null;
  }
}

const findingOf = (
  { rule, type, severity, message, uuid }: MessageFinding,
  at: { file: string; line: number },
): Finding => ({
  rule,
  type,
  severity,
  message,
  file: at.file,
  line: at.line,
  uuid,
  version: null,
  count: 1,
});
