import type { CallId, Key, LineRef } from '../model/index.ts';
import type { Category } from './categories.ts';
import type { ContextPart, PartType } from './context-view.ts';

/** The messages of one record, part by part. A message without a part is none. */
export class PartList {
  readonly parts: ContextPart[] = [];
  /** Where each message was written. */
  readonly lines: LineRef[] = [];
  readonly #record: Key;
  readonly #from: number;
  #next: LineRef | null = null;
  #role: ContextPart['role'] = 'user';

  constructor(record: Key, from = 0) {
    this.#record = record;
    this.#from = from;
  }

  begin(at: LineRef, role: ContextPart['role']): this {
    this.#next = at;
    this.#role = role;
    return this;
  }

  add(type: PartType, category: Category, label: string, tokens: number, call: CallId | null = null): void {
    if (this.#next) this.lines.push(this.#next);
    this.#next = null;
    const message = this.#from + this.lines.length - 1;
    this.parts.push({ record: this.#record, message, role: this.#role, type, category, call, label, tokens });
  }
}
