import type { FileFacts, FileId, Key, Line, LineRef, SessionId, Severity, SubagentId, Usage } from '../model/index.ts';
import type { Clause, Filter, FoundPart, Portion, Volume } from '../search/index.ts';
import type { PackedMessages, PackedRows } from './packed-rows.ts';
import type { StoreShare } from './store.ts';

/**
 * What was read from the logs, kept so that lists need no log and an append costs what was appended: a pure function of the raw files.
 * A tree is what `tree/` builds: the logs of one agent in one project.
 */
export interface IndexStore {
  trees(): Promise<TreeEntry[]>;
  /** False: it was made without full text, and nothing is found in it. */
  hasText(): Promise<boolean>;
  /** What was read of each file; of one tree, or of all. */
  files(tree?: string): Promise<FileEntry[]>;
  /** The lines of a tree without their content, to put it together again. In the order of file and index. */
  chunks(tree: string): Promise<Chunk[]>;
  /** For other threads: several may write, each its own trees. */
  share(): Promise<StoreShare>;
  /** One transaction; gives the revision it made. */
  apply(batch: IndexBatch): Promise<number>;
  /** Numbers of volumes that nobody else uses: the first of so many. */
  reserveVolumes(count: number): Promise<number>;
  /** Full text of messages whose rows were written, or will be; its bytes are taken. Trees whose text is there as a whole now are complete. */
  addText(text: TextEntry): Promise<number>;
  /** What the text of messages has. It may give a little too much: quoted and punctuated words have to be compared with the text. */
  search(query: TextQuery, run?: TextRun): Promise<TextPart>;
  /** Where messages have their text, in the same order; those that are gone are left out. */
  places(ids: readonly bigint[]): Promise<FoundPlace[]>;
  /** What was found, as rows; in the same order. */
  found(ids: readonly bigint[]): Promise<FoundMessage[]>;
  title(session: { readonly tree: string; readonly id: SessionId }): Promise<string | null>;
  /** The newest revision. */
  revision(): Promise<number>;
  /** Which sessions changed or went after a revision, the first of them first. */
  changesSince(revision: number, limit: number): Promise<ChangedSessions>;
  projects(): Promise<ProjectSummary[]>;
  /** Newest first. */
  sessions(query?: StoredSessionQuery): Promise<StoredSession[]>;
  /** Every response of every record; the same response may come several times. */
  usages(query?: UsageQuery): Promise<StoredUsage[]>;
  /** In the order of their time. */
  messages(session: { readonly tree: string; readonly id: SessionId }, window: Window): Promise<Page<StoredMessage>>;
  /** Leaves no byte of it behind. */
  dropTree(tree: string): Promise<void>;
  /** Its rows and the given files; what is left of its tree has to be indexed anew. */
  dropSession(tree: string, id: SessionId, files: readonly FileId[]): Promise<void>;
  /** Equal for equal content, whatever the order and the pieces it came in. */
  digest(): Promise<string>;
  /** What was found odd in a tree when it was last looked through; kept beside the rows. */
  setFindings(tree: string, counts: FindingCounts): Promise<void>;
  /** Of one tree, or over all of them. */
  findings(tree?: string): Promise<FindingCounts>;
  /** Of what the files were like when it was last up to date with all of them; null since it was written to. */
  stamp(): Promise<string | null>;
  setStamp(stamp: string): Promise<void>;
  /** What makes questions fast, when most rows of a first load are there: the others are put into it one by one. */
  addIndexes(): Promise<void>;
  /** What was written so far reaches the disk. */
  sync(): Promise<void>;
  /** The end of a run: all of that, and a rebuilt index takes the place of the old one. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export type FindingCounts = Readonly<Record<Severity, number>>;

/** An index on this machine, for those who cannot wait: synchronous, like reading a file. */
export interface IndexReader {
  /** Whether all rows of a tree are written. */
  isComplete(tree: string): boolean;
  /** Of one tree, or of all. */
  filesOf(tree?: string): FileEntry[];
  chunksOf(tree: string): Chunk[];
  sessionNames(tree: string): { readonly id: SessionId; readonly aliases: readonly string[] }[];
}

export interface TreeEntry {
  readonly key: string;
  readonly agent: string;
  readonly project: ProjectName;
  /** False while its rows are being written in several pieces: they are written anew when that was interrupted. */
  readonly complete: boolean;
}

export interface ProjectName {
  readonly id: string;
  readonly path: string;
  readonly names: readonly string[];
}

/** How far a file was read. */
export interface FileEntry {
  readonly tree: string;
  readonly id: FileId;
  readonly facts: FileFacts;
  readonly path: string;
  /** Of the file when it was read. */
  readonly size: number;
  readonly modified: number;
  /** Counts how often the file was replaced by another; told by the archive. */
  readonly generation: number;
  /** Where reading goes on: after a newline. */
  readonly offset: number;
  readonly line: number;
  /** Of the reader there (JSON). */
  readonly state: unknown;
  /** So many lines are in its chunks. */
  readonly lines: number;
  /** A whole line at the end without its newline: it is read again when the file has grown. */
  readonly torn: { readonly line: Line; readonly prompt: string | null } | null;
}

/** Lines `index * n` to `(index + 1) * n` of a file, packed. */
export interface Chunk {
  readonly file: FileId;
  readonly index: number;
  readonly bytes: Uint8Array;
}

/** What a line says that a title or a summary may be made of. */
export interface PromptEntry {
  readonly file: FileId;
  readonly line: number;
  readonly text: string;
}

/** A text of the log: itself, or the lines of which the first with a prompt says it. */
export type TextAt = string | readonly PromptPlace[];
export type PromptPlace = readonly [file: FileId, line: number];

export interface SessionEntry {
  readonly id: SessionId;
  readonly aliases: readonly string[];
  readonly title: TextAt | null;
  readonly cwd: string | null;
  readonly gitBranch: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly recordCount: number;
  readonly messageCount: number;
  readonly files: readonly string[];
  /** Added up by price (`UsageGroup`). */
  readonly usage: readonly unknown[];
  /** When something was said, as pairs of beginning and end; pauses below 15 minutes are not told. */
  readonly active: readonly number[];
  readonly threads: readonly ThreadEntry[];
  readonly subagents: readonly SubagentEntry[];
}

export interface ThreadEntry {
  readonly id: Key;
  readonly leaf: Key;
  readonly resumeId: string;
  readonly fork: Key | null;
  readonly gitBranch: string | null;
  readonly recordCount: number;
  readonly lastActivity: number | null;
  readonly isDefault: boolean;
  /** Its summary; or its first prompt after the fork and its last. */
  readonly summary: string | readonly [TextAt, TextAt];
}

interface SubagentEntry {
  readonly id: SubagentId;
  /** The call that started it. */
  readonly call: string | null;
  readonly hidden: boolean;
}

export const MESSAGE_TYPES = ['user', 'assistant', 'tool_use', 'tool_result'] as const;
type MessageType = (typeof MESSAGE_TYPES)[number];

/** One message without its content (M1). `id` and `parent` are made by `MessageKeys`. */
export interface MessageEntry {
  readonly id: bigint;
  readonly parent: bigint | null;
  readonly session: SessionId;
  /** Of a tool use or result null: it is named after its record. */
  readonly uuid: Key | null;
  readonly type: MessageType;
  readonly kind: string;
  readonly isSidechain: boolean;
  /** In no view, but others may name it as their parent. */
  readonly hidden: boolean;
  readonly time: number | null;
  /** Of a tool use or result: which of its record. */
  readonly number: number;
  /** And which of its line. */
  readonly nth: number;
  readonly at: LineRef;
  /** The further lines of a record. */
  readonly more: readonly LineRef[];
  readonly toolName: string | null;
  readonly isError: boolean | null;
  readonly agent: SubagentId | null;
  /** The document that has its text now; null: it has none; without it: the one it had. */
  readonly doc?: number | null | undefined;
  /** It may have been written before. */
  readonly isAgain: boolean;
}

/** What all messages of a record have in common. */
export type RecordEntry = Pick<MessageEntry, 'session' | 'kind' | 'hidden' | 'agent'>;
export type OwnEntry = Omit<MessageEntry, keyof RecordEntry>;

/** What the response of one record used. */
export interface UsageEntry {
  readonly id: bigint;
  readonly session: SessionId;
  readonly usage: Usage;
  readonly time: number | null;
  readonly isSubagent: boolean;
  /** Its record tells of it beside its own. */
  readonly isFurther?: true;
}

export interface IndexBatch {
  readonly tree: TreeEntry;
  /** Trees whose files belong to this one now. */
  readonly dropTrees?: readonly string[];
  /** Before anything else: all rows made from the tree are dropped; what was read of the files stays. */
  readonly anew?: boolean;
  /** What was read of these files is dropped: they were replaced. */
  readonly dropFiles?: readonly FileId[];
  readonly files?: readonly FileEntry[];
  readonly chunks?: readonly Chunk[];
  readonly prompts?: readonly PromptEntry[];
  readonly sessions?: readonly SessionEntry[];
  readonly goneSessions?: readonly SessionId[];
  /** These and `usages` may come packed. */
  readonly messages?: readonly MessageEntry[] | PackedMessages;
  readonly goneMessages?: readonly bigint[];
  readonly usages?: readonly UsageEntry[] | PackedRows;
  readonly goneUsages?: readonly bigint[];
}

/** A volume of the full text. Its documents are those the rows of messages name: `docNumber(number, i)`. */
export interface TextEntry {
  readonly number: number;
  readonly volume: Volume | null;
  /** Keys of trees. */
  readonly completes: readonly string[];
}

export const docNumber = (volume: number, document: number): number => volume * DOC_SPAN + document;
export const DOC_SPAN = 2 ** 17;

export interface TextQuery {
  readonly clause: Clause | null;
  /** Paths of projects; all without it. */
  readonly projects?: readonly string[];
  /** So many of the newest are given. */
  readonly newest?: number;
  /** What is told of each of them: whether it has the title of its session, whether filters let it through. */
  readonly tells?: readonly (Filter | typeof TITLED)[];
}

/** An attribute of the message that is found by the title of its session. */
export const TITLED = 'titled';

export interface TextRun {
  /** Who answers together with others looks into a portion of the volumes only. */
  readonly portion?: Portion;
  /** Asked before each volume: whether nobody waits for the answer any more. Then there is none (`aborted`). */
  readonly isOver?: () => boolean;
}

/** What was found, to be joined (`joinParts`) and ranked. */
export interface TextPart extends FoundPart {
  /** Parts belong together if they are of one revision. */
  readonly revision: number;
  /** Of the whole index. */
  readonly documents: number;
}

/** What is needed to read what a message says. */
export type FoundPlace = Pick<FoundMessage, 'id' | 'tree' | 'session' | 'type' | 'at' | 'more' | 'nth' | 'toolName'>;

export interface FoundMessage extends StoredMessage {
  readonly id: bigint;
  readonly tree: string;
  readonly session: SessionId;
  /** The record it belongs to. */
  readonly record: string;
  readonly nth: number;
  /** That answered. */
  readonly model: string | null;
}

export interface ChangedSessions {
  readonly revision: number;
  readonly sessions: readonly { readonly tree: string; readonly id: SessionId; readonly gone: boolean }[];
}

export interface ProjectSummary extends ProjectName {
  readonly agents: readonly string[];
  readonly sessionCount: number;
  readonly lastActivity: number | null;
}

export interface StoredSessionQuery {
  /** Paths of projects. */
  readonly projects?: readonly string[];
  readonly range?: { readonly from: number; readonly to: number } | null;
  /** With the summaries of the threads. */
  readonly threads?: boolean;
  readonly id?: SessionId;
}

export interface StoredSession extends Omit<SessionEntry, 'title' | 'threads'> {
  readonly tree: string;
  readonly agent: string;
  readonly project: ProjectName;
  readonly revision: number;
  readonly title: string | null;
  readonly threadCount: number;
  readonly threads: readonly (Omit<ThreadEntry, 'summary'> & {
    readonly summary: string | readonly [string, string];
  })[];
}

export interface UsageQuery {
  readonly projects?: readonly string[];
  readonly range?: { readonly from: number; readonly to: number } | null;
}

export interface StoredUsage {
  readonly usage: Usage;
  readonly time: number | null;
  readonly session: SessionId;
  /** Path of the project. */
  readonly project: string;
  readonly isSubagent: boolean;
}

export interface Window {
  readonly skip: number;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

export interface StoredMessage
  extends Omit<MessageEntry, 'id' | 'parent' | 'number' | 'nth' | 'hidden' | 'uuid' | 'doc' | 'isAgain'> {
  readonly uuid: string;
  readonly parentUuid: string | null;
}
