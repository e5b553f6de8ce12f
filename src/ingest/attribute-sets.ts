import type { LogRecord } from '../model/index.ts';
import { TYPES } from '../search/index.ts';
import type { MessageEntry } from '../stores/index.ts';

/** What filters look for in documents: names and values. Very many documents have the same, so a set is the same object for all of them. */
export interface AttributeSet {
  readonly attributes: readonly Attribute[];
  /** For who sends it: what it is called in the volume under construction, which is the one after so many. */
  number: number;
  volume: number;
}

type Attribute = readonly [name: string, value: string];

/** The sets that documents have: one for all messages of a record, and one of each message. */
export class AttributeSets {
  /** By what they are made of; those of messages by their tool, and then by the rest. */
  readonly #ofRecords = new Map<string, AttributeSet>();
  readonly #ofMessages = new Map<string | null, AttributeSet[]>();
  #record: LogRecord | null = null;
  #ofRecord: AttributeSet | null = null;

  ofRecord(record: LogRecord, tree: string): AttributeSet {
    if (this.#ofRecord && record === this.#record) return this.#ofRecord;
    const { usage, subagent } = record;
    const { gitBranch } = record.env;
    const model = usage?.model ?? null;
    // With lengths: names may hold anything.
    const lengths = `${model?.length} ${gitBranch?.length} ${subagent === null}`;
    const key = `${lengths} ${model}${gitBranch}${tree}`;
    let set = this.#ofRecords.get(key);
    if (!set) {
      const attributes: Attribute[] = [['tree', tree]];
      if (model !== null) attributes.push(['model', model]);
      if (gitBranch !== null) attributes.push(['branch', gitBranch]);
      if (subagent !== null) attributes.push(['subagent', '']);
      set = setOf(attributes);
      if (this.#ofRecords.size > MOST) this.#ofRecords.clear();
      this.#ofRecords.set(key, set);
    }
    this.#record = record;
    this.#ofRecord = set;
    return set;
  }

  ofMessage(message: MarkedMessage): AttributeSet {
    const { type, toolName, isSidechain } = message;
    const failed = isFailed(message);
    let sets = this.#ofMessages.get(toolName);
    if (!sets) {
      sets = [];
      if (this.#ofMessages.size > MOST) this.#ofMessages.clear();
      this.#ofMessages.set(toolName, sets);
    }
    const index = 4 * TYPES.indexOf(type) + (failed ? 2 : 0) + (isSidechain ? 1 : 0);
    let set = sets[index];
    if (!set) {
      const attributes: Attribute[] = [['type', type]];
      if (toolName !== null) attributes.push(['tool', toolName]);
      if (failed) attributes.push(['error', '']);
      if (isSidechain) attributes.push(['sidechain', '']);
      set = setOf(attributes);
      sets[index] = set;
    }
    return set;
  }
}

export type MarkedMessage = Pick<MessageEntry, 'type' | 'toolName' | 'isError' | 'isSidechain'>;

/** A result is found by `is:error`; its call only has its status. */
export const isFailed = ({ type, isError }: Pick<MessageEntry, 'type' | 'isError'>): boolean =>
  isError === true && type === 'tool_result';

/** Nobody has so many branches or tools; what a log names is not to be held for ever. */
const MOST = 10_000;

const setOf = (attributes: readonly Attribute[]): AttributeSet => ({ attributes, number: 0, volume: -1 });
