import { countMessages, eachRecord } from '../messages/index.ts';
import {
  type Annotation,
  type Block,
  type Finding,
  firstWords,
  isPrompt,
  type Key,
  type LogRecord,
  type RecordContent,
  type Segment,
  type Session as SessionFacts,
  type SessionId,
  type Subagent,
  type Thread as ThreadFacts,
} from '../model/index.ts';
import { learnFrom, type Redactor, redactBlocks, redactContent } from '../redact/index.ts';
import { NO_PROMPTS, promptsOfThreads, type ThreadPrompts, type Tree } from '../tree/index.ts';
import type { Logs } from './logs.ts';
import type { Project } from './project.ts';
import { type ContentOptions, readContent } from './read-content.ts';
import { findingOf, type Unread } from './unread.ts';

/** Who names a file that continues or forks a session means the thread that ends there (H15). */
function namedFacts(facts: SessionFacts, named: string | null): SessionFacts {
  if (named === null || named === facts.id) return facts;
  const threads = facts.threads.filter(({ resumeId }) => resumeId === named);
  const meant = threads.find(({ id }) => id === facts.defaultThread) ?? threads[0];
  return meant ? { ...facts, defaultThread: meant.id, leaf: meant.leaf } : facts;
}

/** One conversation, over all its files and branches. */
export class Session {
  readonly project: Project;
  readonly logs: Logs;
  readonly facts: SessionFacts;
  readonly #tree: Tree;
  readonly #redactor: Redactor | null;
  readonly #named: string | null;
  #prompts: ReadonlyMap<Key, ThreadPrompts> | null = null;

  /** `named`: the native id of one of its files, by which it was asked for. */
  constructor(
    project: Project,
    logs: Logs,
    id: SessionId,
    { named = null, redactor = null }: { named?: string | null; redactor?: Redactor | null } = {},
  ) {
    this.project = project;
    this.logs = logs;
    this.#tree = logs.read().tree;
    this.#named = named;
    this.facts = namedFacts(this.#tree.session(id), named);
    this.#redactor = redactor;
  }

  /** The same session, of which everything is said without what must not leave the machine. */
  redacted(redactor: Redactor): Session {
    this.teach(redactor);
    return new Session(this.project, this.logs, this.facts.id, { named: this.#named, redactor });
  }

  /** As it is now, asked for by the same name. */
  again(): Session {
    return this.project.session(this.#named ?? this.id) ?? this;
  }

  get isRedacted(): boolean {
    return this.#redactor !== null;
  }

  /** A text about it, the way it may be said. */
  conceal(text: string): string {
    return this.#redactor ? this.#redactor.redact(text) : text;
  }

  get id(): string {
    return this.facts.id;
  }

  get agent(): string {
    return this.facts.format;
  }

  /** Every file of the session: its own, and those of its sub-agents. */
  get files(): string[] {
    return [...new Set([...this.facts.files, ...this.facts.subagents.flatMap((subagent) => subagent.files)])];
  }

  /** In one line; null when the session says nothing (H16). */
  get title(): string | null {
    const title = this.facts.title;
    if (!title) return null;
    if ('text' in title) return oneLine(this.conceal(title.text)) || null;
    for (const id of 'record' in title ? [title.record] : title.records) {
      const text = oneLine(this.textOf(id));
      if (text !== '') return text;
    }
    return null;
  }

  /** Newest first. */
  get threads(): Thread[] {
    return this.facts.threads.map((facts) => new Thread(this, this.#tree, facts));
  }

  /** The thread to show first (H15); null for a session of which only sub-agents are left. */
  get defaultThread(): Thread | null {
    return this.threads.find(({ id }) => id === this.facts.defaultThread) ?? null;
  }

  /** What tells a thread from the others, in words. */
  promptsOf({ leaf }: ThreadFacts): string {
    this.#prompts ??= promptsOfThreads(this.rootSegments, (id) => {
      const record = this.#tree.record(id);
      return record !== null && isPrompt(record);
    });
    const { first, last } = this.#prompts.get(leaf) ?? NO_PROMPTS;
    return joinPrompts(...[first, last].map((id) => (id === null ? '' : oneLine(this.textOf(id)))));
  }

  /** One, unless the session has several beginnings. */
  get rootSegments(): Segment[] {
    return this.#tree.segments(this.id);
  }

  /** All records of the main line, over all branches, in file order. */
  records(): Generator<LogRecord> {
    return recordsOf(this.#tree, this.#tree.records(this.id));
  }

  /** What a sub-agent said and did. */
  subagentRecords({ id }: Subagent): Generator<LogRecord> {
    return recordsOf(this.#tree, this.#tree.subagentRecords(id, this.id));
  }

  /** The main line and every sub-agent. */
  *allRecords(): Generator<LogRecord> {
    yield* this.records();
    for (const subagent of this.facts.subagents) yield* this.subagentRecords(subagent);
  }

  record(id: Key): LogRecord | null {
    return this.#tree.record(id);
  }

  /** What the human said that a record follows from, also from inside a sub-agent; null when that is not in the log. */
  promptAbove(record: LogRecord): LogRecord | null {
    const seen = new Set<Key>();
    for (let at: LogRecord | null = record; at && !seen.has(at.id); at = this.#above(at)) {
      seen.add(at.id);
      if (at.subagent === null && (at.origin === 'human' || at.kind.endsWith('_command'))) return at;
    }
    return null;
  }

  #above({ parent, subagent }: LogRecord): LogRecord | null {
    if (parent !== null) return this.#tree.record(parent);
    const spawn = this.facts.subagents.find(({ id }) => id === subagent)?.spawn;
    return spawn ? this.#tree.record(spawn.record) : null;
  }

  /** What a record says, read from its file; `results: false` leaves out what its calls gave, which is most of it. */
  content(record: LogRecord, options: ContentOptions = {}): RecordContent {
    const content = readContent(this.logs, record, options);
    return this.#redactor ? redactContent(this.#redactor, record, content) : content;
  }

  /** What one line says that was skipped. */
  annotation({ key, ref }: Annotation): readonly Block[] {
    const said = key === null ? [] : this.logs.lines.read([ref]).flatMap((line) => line.blocks());
    return this.#redactor ? redactBlocks(this.#redactor, said) : said;
  }

  /** What the lines say that were skipped before its first record: as many as `facts.annotations`, in their order. */
  openingAnnotations(): (readonly Block[])[] {
    const said = this.facts.annotations.map(({ ref }) => this.logs.lines.read([ref]).flatMap((line) => line.blocks()));
    const redactor = this.#redactor;
    return redactor ? said.map((blocks) => redactBlocks(redactor, blocks)) : said;
  }

  /** Tells a redactor of every name in it, so that no text is written before the last of them is known. */
  teach(redactor: Redactor): void {
    if (!redactor.isNew(`${this.project.path}\n${this.id}`)) return;
    for (const id of this.files) redactor.names.learnPath(this.logs.file(id)?.path ?? '');
    redactor.names.learnPath(this.project.path);
    redactor.names.learnPath(this.facts.cwd ?? '');
    for (const { value } of this.facts.facts) redactor.learn(typeof value === 'string' ? value : '');
    for (const record of this.allRecords()) {
      redactor.names.learnPath(record.env.cwd ?? '');
      const { own, replies, results, annotations } = readContent(this.logs, record, { annotations: true });
      for (const blocks of [own, replies, ...annotations]) learnFrom(redactor, blocks);
      for (const { block, more, body } of results.values()) learnFrom(redactor, [block, ...more, ...body]);
    }
    const opening = this.facts.annotations.flatMap(({ ref }) => this.logs.lines.read([ref]));
    for (const line of opening) learnFrom(redactor, line.blocks());
    for (const name of [this.project.id, ...this.project.names]) redactor.names.learnFolder(name);
  }

  /** The first words of a record: of a prompt what the human typed, of an answer that grew what its first line says, as an index has it. */
  textOf(id: Key): string {
    const record = this.#tree.record(id);
    if (!record) return '';
    for (const line of record.lines) {
      const text = firstWords(this.content({ ...record, lines: [line], calls: [] }).own);
      if (text !== '') return text;
    }
    return '';
  }

  /** How many messages are extracted from it. */
  get messageCount(): number {
    let count = 0;
    for (const { record } of eachRecord(this.#tree, this.id))
      count += countMessages(record, (ref) => this.#tree.resultsAt(ref));
    return count;
  }

  /** What of it could not be read so far: told by who was asked for it, after it was shown. */
  get unread(): Unread[] {
    const own = new Set([...this.files, ...this.#beside()]);
    return this.logs.unread.filter(({ file }) => own.has(file));
  }

  /** Files that name it, though nothing of them may be in it. */
  #beside(): string[] {
    const names = new Set([this.id, ...this.facts.aliases]);
    return this.logs.files.flatMap(({ facts }) => (names.has(facts.session ?? facts.native) ? [facts.id] : []));
  }

  /** As warnings. */
  get unreadable(): Finding[] {
    return this.unread.map(findingOf).map((finding) => ({
      ...finding,
      message: this.conceal(finding.message),
      file: this.conceal(finding.file),
    }));
  }

  /** Oddities of its files, and what of them could not be read. */
  findings(): Finding[] {
    const findings = this.logs.read({ survey: true }).tree.findings(this.files);
    const concealed = findings.map((each) => ({
      ...each,
      file: this.conceal(each.file),
      message: this.conceal(each.message),
    }));
    return [...concealed, ...this.unreadable];
  }
}

/** One path from the beginning of a session to a leaf. */
export class Thread {
  readonly session: Session;
  readonly facts: ThreadFacts;
  readonly #tree: Tree;

  constructor(session: Session, tree: Tree, facts: ThreadFacts) {
    this.session = session;
    this.facts = facts;
    this.#tree = tree;
  }

  get id(): Key {
    return this.facts.id;
  }

  get lastUpdatedAt(): number | null {
    return this.facts.time;
  }

  /** Its summary; without one its first prompt after the fork and, when that is another, the last. */
  get summary(): string {
    const { summary } = this.facts;
    return summary === null ? this.session.promptsOf(this.facts) : oneLine(this.session.conceal(summary));
  }

  has(record: Key): boolean {
    return this.#tree.path(this.session.id, this.id).includes(record);
  }

  /** From the beginning to the leaf. */
  records(): Generator<LogRecord> {
    return recordsOf(this.#tree, this.#tree.path(this.session.id, this.id));
  }
}

function* recordsOf(tree: Tree, ids: readonly Key[]): Generator<LogRecord> {
  for (const id of ids) {
    const record = tree.record(id);
    if (record && !record.hidden) yield record;
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** `first → last`; one of them where the other is missing or the same. */
export const joinPrompts = (...prompts: readonly string[]): string =>
  [...new Set(prompts)].filter((text) => text !== '').join(' → ');
