/** A message as filters see it, with its text. */
export interface Searched {
  readonly text: string;
  /** The names of its project's folders, and its path. */
  readonly project: readonly string[];
  /** Its session's id, and the others that lead to it. */
  readonly session: readonly string[];
  readonly agent: string;
  readonly type: string;
  /** Of a call or result. */
  readonly tool: string | null;
  /** Of an answer and what belongs to it. */
  readonly model: string | null;
  readonly branch: string | null;
  /** Paths that a call names; its result has them too. */
  readonly files: readonly string[];
  readonly isError: boolean;
  readonly isSidechain: boolean;
  readonly isSubagent: boolean;
  readonly hasImage: boolean;
  readonly time: number | null;
}

/** Of nothing in particular: for asking about one attribute, or about a text alone. */
export const NO_ATTRIBUTES: Omit<Searched, 'text'> = {
  project: [],
  session: [],
  agent: '',
  type: '',
  tool: null,
  model: null,
  branch: null,
  files: [],
  isError: false,
  isSidechain: false,
  isSubagent: false,
  hasImage: false,
  time: null,
};
