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

  /** What a record says, read from its lines. */
  blocks(record: LogRecord): readonly Block[] {
    const parts = record.lines.filter((line) => line.as === 'part').map((line) => line.ref);
    return readBlocks(this.#format, this.project.files, parts);
  }
}
