import { LineReader, readOffloaded } from '../history/index.ts';
import {
  addAll,
  type Block,
  type ChainLine,
  type FileId,
  type Format,
  firstWords,
  type Line,
  type LineRef,
  type Parsed,
  TITLE_LINES,
} from '../model/index.ts';
import { BEGINNING, type LogFile, type Problem, readLog, readTail, TAIL_PIECE } from '../sources/index.ts';
import type {
  Chunk,
  FileEntry,
  FindingCounts,
  IndexBatch,
  ProjectName,
  PromptEntry,
  TreeEntry,
} from '../stores/index.ts';
import { Tree } from '../tree/index.ts';
import { countFindings } from './count-findings.ts';
import { changeOf, type FileChange, type GenerationOf, isAnother, type WaitFor } from './file-changes.ts';
import { CHUNK_LINES, LinePacker, packLines, unpackLines } from './pack-lines.ts';
import type { Texts } from './texts.ts';
import { TreeRows } from './tree-rows.ts';

/** What is indexed together: the logs of one agent in one project. */
export interface TreeSource {
  readonly key: string;
  readonly project: ProjectName;
  readonly format: Format;
  readonly files: readonly LogFile[];
}

/** What stays of a file that was read; its lines are let go. */
interface ReadFile {
  readonly entry: FileEntry;
  /** Its full chunks, as long as nobody knows whether the file is still there: one that is can be read again. */
  readonly full: readonly Uint8Array[];
  /** The chunk of the lines after them. */
  readonly last: Uint8Array | null;
  /** The same of a file that grew once: it is likely to grow again. */
  readonly packer: LinePacker | null;
}

const PIECE_BYTES = 512 * 1024;
/** Lines are read again here and there: the call that a new result answers. */
const WINDOW = 64 * 1024;

/**
 * One tree and its rows, in memory, so that an append costs what was appended. It is put together from what a store kept of the lines,
 * without reading a log. When not all pieces of an `update` were applied, it has to be thrown away.
 */
export class ProjectIndex {
  readonly #key: string;
  readonly #format: Format;
  readonly #files = new Map<FileId, ReadFile>();
  #tree = new Tree({ remembers: false });
  #rows: TreeRows;
  /** The rows in the store are those of this tree. */
  #isWritten: boolean;
  readonly #texts: Texts;
  readonly #forwards: boolean;
  readonly #lines: LineReader;
  /** As they were found last. */
  readonly #found = new Map<FileId, LogFile>();
  readonly problems: Problem[] = [];
  /** Bytes of logs that were read. */
  bytesRead = 0;

  private constructor(key: string, format: Format, isWritten: boolean, texts: Texts, forwards: boolean) {
    this.#key = key;
    this.#forwards = forwards;
    this.#format = format;
    this.#texts = texts;
    this.#lines = new LineReader({ format, file: (id) => this.#found.get(id) }, WINDOW);
    this.#rows = this.#newRows();
    this.#isWritten = isWritten;
  }

  /**
   * From what a store knows of the tree; nothing for a new one. `forwards`: for one update, whose batches go to another thread. Their
   * chunks are packed there, and nothing is kept for the next time.
   */
  static load(
    key: string,
    format: Format,
    known: { readonly files: readonly FileEntry[]; readonly chunks: readonly Chunk[]; readonly complete: boolean },
    texts: Texts,
    forwards = false,
  ): ProjectIndex {
    const index = new ProjectIndex(key, format, known.complete && known.files.length > 0, texts, forwards);
    const chunks = Map.groupBy(known.chunks, ({ file }) => file);
    for (const entry of known.files) {
      const own = (chunks.get(entry.id) ?? []).map(({ bytes }) => bytes);
      const count = Math.floor(entry.lines / CHUNK_LINES);
      index.#files.set(entry.id, { entry, full: own.slice(0, count), last: own[count] ?? null, packer: null });
    }
    if (index.#isWritten) {
      index.#feedKnown();
      index.#rows.recall(index.#tree.commit());
    }
    return index;
  }

  /** How many lines it holds. */
  get lineCount(): number {
    let count = 0;
    for (const { entry } of this.#files.values()) count += entry.lines;
    return count;
  }

  /** How much is odd about it. Goes over all of it. */
  countFindings(): FindingCounts {
    return countFindings(this.#tree);
  }

  /** Reads what is new in the files and gives what has to be written for it; nothing when nothing is new. Files that are gone stay. */
  *update(
    { files, project }: Pick<TreeSource, 'files' | 'project'>,
    generationOf: GenerationOf = () => null,
    waitFor: WaitFor = () => undefined,
  ): Generator<IndexBatch> {
    for (const file of files) this.#find(file);
    let changed = files.filter((file) => this.#changeOf(file, generationOf) !== 'same');
    if (changed.length === 0 && this.#isWritten) return;
    const tree: TreeEntry = { key: this.#key, agent: this.#format.name, project, complete: false };
    if (!this.#isWritten || this.isAnotherOf(changed, generationOf)) {
      // All texts are written anew, so all files are read.
      changed = this.#found.size === files.length ? [...files] : [...this.#found.values()];
      const dropFiles = changed.map(({ facts }) => facts.id).filter((id) => this.#files.has(id));
      this.#startAnew(dropFiles);
      yield { tree, anew: true, dropFiles };
    }
    const piece = new Piece();
    for (const file of changed) {
      for (const _ of this.#read(file, piece, generationOf, waitFor)) {
        if (this.#texts.isHeavy) yield* this.#commit(tree, piece, false);
        else if (piece.bytes > PIECE_BYTES) yield { tree, ...piece.take() };
      }
    }
    yield* this.#commit(tree, piece, true);
    addAll(this.problems, this.#lines.unread);
    this.#lines.close();
    this.#isWritten = true;
  }

  /** Whether one of these files was replaced: then all of the tree is read again. */
  isAnotherOf(files: readonly LogFile[], generationOf: GenerationOf): boolean {
    return files.some((file) => isAnother(this.#changeOf(file, generationOf)));
  }

  /** Whether an `update` with these files would have to read others too: what lines say is not kept. */
  needsOthers(files: readonly LogFile[], generationOf: GenerationOf): boolean {
    if (this.#isWritten && !this.isAnotherOf(files, generationOf)) return false;
    const given = new Set(files.map(({ facts }) => facts.id));
    return [...this.#files.keys()].some((id) => !given.has(id) && !this.#found.has(id));
  }

  #changeOf(file: LogFile, generationOf: GenerationOf): FileChange {
    return changeOf(file, this.#files.get(file.facts.id)?.entry, generationOf);
  }

  /** The rows of what was read. */
  *#commit(tree: TreeEntry, piece: Piece, isLast: boolean): Generator<IndexBatch> {
    const rows = this.#rows.after(this.#tree.commit());
    for (let next = rows.next(); !next.done; ) {
      const following = rows.next();
      const complete = isLast && following.done === true;
      yield { tree: { ...tree, complete }, ...piece.take(), ...next.value };
      next = following;
    }
    this.#texts.forgetLines();
  }

  #newRows(): TreeRows {
    const readAgain = (ref: LineRef): readonly Block[] =>
      this.#whole(this.#lines.read([ref]).flatMap(({ blocks }) => blocks()));
    const texts = this.#texts;
    return new TreeRows(this.#tree, this.#key, {
      reads: texts.reads,
      add: (message, record, tree, said) => texts.add(message, record, tree, said, readAgain),
      get isFull() {
        return texts.isFull;
      },
    });
  }

  /** With the results that lie beside the log. */
  #whole(blocks: readonly Block[]): readonly Block[] {
    if (!blocks.some((block) => block.type === 'result' && block.offloaded !== undefined)) return blocks;
    const files = { file: (id: FileId) => this.#found.get(id) };
    return blocks.map((block) => (block.type === 'result' ? readOffloaded(files, block, this.#lines) : block));
  }

  #startAnew(readAgain: readonly FileId[]): void {
    for (const id of readAgain) this.#files.delete(id);
    this.#tree = new Tree({ remembers: false });
    this.#rows = this.#newRows();
    this.#isWritten = false;
    this.#feedKnown();
  }

  /** A file that is there. */
  #find(file: LogFile): void {
    const { id } = file.facts;
    this.#found.set(id, file);
    const known = this.#files.get(id);
    if (known && known.full.length > 0) this.#files.set(id, { ...known, full: [] });
  }

  #feedKnown(): void {
    for (const file of this.#files.values()) {
      const { facts, torn, id } = file.entry;
      this.#tree.feed(facts, []);
      for (const bytes of file.full) this.#tree.feed(facts, unpackLines(bytes, id));
      this.#tree.feed(facts, torn ? [...tailOf(file), torn.line] : tailOf(file));
    }
  }

  /** Stops now and then, so that what was read can be written. */
  *#read(file: LogFile, piece: Piece, generationOf: GenerationOf, waitFor: WaitFor): Generator<void> {
    const { facts } = file;
    const known = this.#files.get(facts.id);
    let chunks = known ? Math.floor(known.entry.lines / CHUNK_LINES) : 0;
    let packer = known ? (known.packer ?? packerOf(known)) : new LinePacker();
    this.#tree.feed(facts, []);
    let waiting: Line[] = [];
    const feed = (): void => {
      if (waiting.length > 0) this.#tree.feed(facts, waiting);
      waiting = [];
    };
    let torn: FileEntry['torn'] = null;
    const take = (parsed: Parsed, isTorn: boolean): void => {
      const { line } = parsed;
      const prompt = promptIn(parsed);
      // What is said twice is read again if it is asked for after all.
      if (this.#texts.reads && !this.#tree.seemsCopied(line))
        this.#texts.readLine(line, () => this.#whole(parsed.blocks()), parsed.coded);
      if (isTorn) {
        if (line.in !== 'report') torn = { line, prompt };
        return;
      }
      if (prompt !== null) piece.addPrompt({ file: facts.id, line: line.ref.line, text: prompt });
      addLine(line);
    };
    const addLine = (line: Line): void => {
      packer.add(line);
      waiting.push(line);
      if (packer.count < CHUNK_LINES) return;
      feed();
      piece.addChunk(facts.id, chunks++, this.#chunkOf(packer));
      packer = new LinePacker();
    };
    const isSidecar = facts.role === 'sidecar';
    const pieces = isSidecar ? this.#readSidecar(file, addLine) : this.#readTail(file, known?.entry ?? null, take);
    let end = isSidecar ? Infinity : (known?.entry.offset ?? 0);
    const next = (): IteratorResult<void, ReadState> => {
      end += TAIL_PIECE;
      waitFor(file, end);
      return pieces.next();
    };
    let read = next();
    for (; !read.done; read = next()) {
      feed();
      yield;
    }
    feed();
    torn = torn as FileEntry['torn'];
    if (torn !== null) this.#tree.feed(facts, [torn.line]);
    const entry: FileEntry = {
      ...read.value,
      tree: this.#key,
      id: facts.id,
      facts,
      path: file.path,
      generation: generationOf(file) ?? 0,
      lines: chunks * CHUNK_LINES + packer.count,
      torn,
    };
    const last = packer.count > 0 ? this.#chunkOf(packer) : null;
    if (last) piece.addChunk(facts.id, chunks, last);
    const kept = this.#forwards ? NOTHING : { last, packer: known ? packer : null };
    this.#files.set(facts.id, { entry, full: [], ...kept });
    piece.files.push(entry);
    yield;
  }

  /** Of one that is not filled any further, where somebody else packs it: that one gets its memory. */
  #chunkOf({ lines }: LinePacker): Uint8Array {
    return this.#forwards ? lines : packLines(lines);
  }

  *#readTail(
    file: LogFile,
    before: FileEntry | null,
    take: (parsed: Parsed, torn: boolean) => void,
  ): Generator<void, ReadState> {
    const from = before ?? BEGINNING;
    const { cursor, size, modified, problem } = yield* readTail(this.#format, file, from, take, {
      blocks: this.#texts.reads,
    });
    if (problem) this.problems.push(problem);
    this.bytesRead += size - from.offset;
    return { ...cursor, size, modified };
  }

  *#readSidecar(file: LogFile, take: (line: Line) => void): Generator<void, ReadState> {
    const { problem, bytes } = readLog(this.#format, file, (lines) => lines.forEach(take));
    if (problem) this.problems.push(problem);
    this.bytesRead += bytes;
    return { ...BEGINNING, size: file.size, modified: file.modified };
  }
}

const NOTHING = { last: null, packer: null } as const;

type ReadState = Pick<FileEntry, 'offset' | 'line' | 'state' | 'size' | 'modified'>;

/** The lines after the chunks that are full. */
const tailOf = ({ entry: { id, lines }, last }: ReadFile): Line[] =>
  last ? unpackLines(last, id).slice(0, lines % CHUNK_LINES) : [];

function packerOf(file: ReadFile): LinePacker {
  const packer = new LinePacker();
  for (const line of tailOf(file)) packer.add(line);
  return packer;
}

/** What a session or a thread may be called by: titles and summaries need no more. */
function promptIn({ line, blocks }: Parsed): string | null {
  if (line.in !== 'queue' && (line.in !== 'chain' || !mayTitle(line))) return null;
  return firstWords(blocks()) || null;
}

const mayTitle = ({ origin, kind, ref }: ChainLine): boolean =>
  origin === 'human' || kind.endsWith('_command') || ref.line <= TITLE_LINES;

/** What was read and not given out yet. */
class Piece {
  files: FileEntry[] = [];
  #chunks: Chunk[] = [];
  #prompts: PromptEntry[] = [];
  bytes = 0;

  addChunk(file: FileId, index: number, bytes: Uint8Array): void {
    this.#chunks.push({ file, index, bytes });
    this.bytes += bytes.length;
  }

  addPrompt(prompt: PromptEntry): void {
    this.#prompts.push(prompt);
    this.bytes += prompt.text.length;
  }

  take(): Pick<IndexBatch, 'files' | 'chunks' | 'prompts'> {
    const taken = { files: this.files, chunks: this.#chunks, prompts: this.#prompts };
    this.files = [];
    this.#chunks = [];
    this.#prompts = [];
    this.bytes = 0;
    return taken;
  }
}
