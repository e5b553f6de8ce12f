import type { Block, Format, Key, LogRecord, Session as SessionFacts } from '../model/index.ts';
import type { Project } from './project.ts';
import { readBlocks } from './read-blocks.ts';

/** One conversation, over all its files and branches. */
export class Session {
  readonly project: Project;
  readonly facts: SessionFacts;
  readonly #format: Format;

  constructor(project: Project, format: Format, facts: SessionFacts) {
    this.project = project;
    this.facts = facts;
    this.#format = format;
  }

  get id(): string {
    return this.facts.id;
  }

  /** Every file of the session: its own, and those of its sub-agents. */
  get files(): string[] {
    return [...new Set([...this.facts.files, ...this.facts.subagents.flatMap((subagent) => subagent.files)])];
  }

  /** In one line; null when the session says nothing (H16). */
  title(): string | null {
    const title = this.facts.title;
    if (!title) return null;
    const text = title.from === 'prompt' ? this.#firstText(title.record) : title.text;
    return text.replace(/\s+/g, ' ').trim() || null;
  }

  #firstText(id: Key): string {
    const record = this.project.read().tree.record(id);
    const text = record
      ? this.blocks(record).find((block) => block.type === 'text' && block.text.trim() !== '')
      : undefined;
    return text?.type === 'text' ? text.text : '';
  }

  /** What a record says, read from its own lines; `reply`: from the lines that answer it. */
  blocks(record: LogRecord, as: 'part' | 'reply' = 'part'): readonly Block[] {
    const refs = record.lines.filter((line) => line.as === as).map((line) => line.ref);
    return readBlocks(this.#format, this.project.files, refs);
  }

  /** The results of a record's calls, by call id. */
  results(record: LogRecord): Map<string, Block & { type: 'result' }> {
    const refs = record.calls.flatMap((call) => call.result ?? []);
    const found = new Map<string, Block & { type: 'result' }>();
    for (const block of readBlocks(this.#format, this.project.files, refs))
      if (block.type === 'result') found.set(block.of, block);
    return found;
  }

  /** The records of a thread from the beginning to its leaf; without a name the one to show first (H15). */
  *thread(name: Key | null = this.facts.defaultThread): Generator<LogRecord> {
    const { tree } = this.project.read();
    for (const id of name === null ? [] : tree.path(this.id, name)) {
      const record = tree.record(id);
      if (record && !record.hidden) yield record;
    }
  }
}
