import type { Annotation, Key, LogRecord } from '../model/index.ts';

/** Something a row can stand for: a record, or an annotation of one. */
export interface SelectorNode {
  /** An annotation belongs to the record above it; null for what stands before the first record. */
  readonly record: LogRecord | null;
  readonly annotation: Annotation | null;
}

/**
 * A session as one list, each node before what hangs on it, so that everything below a node is a run of the list. Numbers stand in
 * arrays of their own: 100,000 nodes are gone through in a millisecond.
 */
export interface Nodes {
  readonly length: number;
  readonly nodes: readonly SelectorNode[];
  /** The node above; -1: none. */
  readonly parent: Int32Array;
  /** 0 on the main line; else which sub-agent speaks. */
  readonly agent: Int32Array;
  /** On the way from the beginning to the active leaf. */
  readonly active: Uint8Array;
  /** The active leaf; -1: none. */
  readonly leaf: number;
  /** By the id of a record (or a line folded into it) or annotation; -1: none. */
  find(key: Key): number;
}

/** The id a node is called by: where its label hangs. */
export const keyOf = ({ record, annotation }: SelectorNode): Key | null => annotation?.key ?? record?.id ?? null;

/** What the human said to the model. */
export const isPrompt = ({ record, annotation }: SelectorNode): boolean =>
  annotation === null &&
  record !== null &&
  ((record.kind === 'user' && record.origin === 'human') || record.kind === 'user_defined_command');
