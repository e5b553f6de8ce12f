import { LineReader, readOffloaded } from '../history/index.ts';
import type { Block, FileId, Format, Line, LineRef, Parsed } from '../model/index.ts';
import { BEGINNING, type LogFile, type Problem, readLog, readTail } from '../sources/index.ts';
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
import { changeOf, type FileChange, type GenerationOf } from './file-changes.ts';
import { CHUNK_LINES, packLines, unpackLines } from './pack-lines.ts';
import type { TextDocs } from './text-docs.ts';
import { TreeRows } from './tree-rows.ts';

/** What is indexed together: the logs of one agent in one project. */
export interface TreeSource {
  readonly key: string;
  readonly project: ProjectName;
  readonly format: Format;
  readonly files: readonly LogFile[];
}

interface ReadFile {
  entry: FileEntry;
  /** Its whole lines. */
  readonly lines: Line[];
}

const PIECE_BYTES = 512 * 1024;
const FEED = 4096;

/**
 * One tree and its rows, in memory, so that an append costs what was appended. It is put together from what a store kept of the lines,
 * without reading a log. When not all pieces of an `update` were applied, it has to be thrown away.
 */
export class ProjectIndex {
  readonly #key: string;
  readonly #format: Format;
  readonly #files = new Map<FileId, ReadFile>();
  #tree = new Tree();
  #rows: TreeRows;
  /** The rows in the store are those of this tree. */
  #isWritten: boolean;
  readonly #texts: TextDocs;
  readonly #lines: LineReader;
  /** As they were found last. */
  readonly #found = new Map<FileId, LogFile>();
  readonly problems: Problem[] = [];
  /** Bytes of logs that were read. */
  bytesRead = 0;

  private constructor(key: string, format: Format, isWritten: boolean, texts: TextDocs) {
    this.#key = key;
    this.#format = format;
    this.#texts = texts;
    this.#lines = new LineReader({ format, file: (id) => this.#found.get(id) });
    this.#rows = this.#newRows();
    this.#isWritten = isWritten;
  }

  /** From what a store knows of the tree; nothing for a new one. */
  static load(
    key: string,
    format: Format,
    known: { readonly files: readonly FileEntry[]; readonly chunks: readonly Chunk[]; readonly complete: boolean },
    texts: TextDocs,
  ): ProjectIndex {
    const index = new ProjectIndex(key, format, known.complete && known.files.length > 0, texts);
    for (const entry of known.files) index.#files.set(entry.id, { entry, lines: [] });
    for (const { file, bytes } of known.chunks) index.#files.get(file)?.lines.push(...unpackLines(bytes, file));
    for (const { entry, lines } of index.#files.values()) lines.length = Math.min(lines.length, entry.lines);
    if (index.#isWritten) {
      index.#feedKnown();
      index.#rows.recall(index.#tree.commit());
    }
    return index;
  }

  /** How many lines it holds. */
  get lineCount(): number {
    let count = 0;
    for (const { lines } of this.#files.values()) count += lines.length;
    return count;
  }

  /** How much is odd about it. Goes over all of it. */
  countFindings(): FindingCounts {
    return countFindings(this.#tree, (ref) => this.#lineAt(ref));
  }

  /** Reads what is new in the files and gives what has to be written for it; nothing when nothing is new. Files that are gone stay. */
  *update(
    { files, project }: Pick<TreeSource, 'files' | 'project'>,
    generationOf: GenerationOf = () => null,
  ): Generator<IndexBatch> {
    for (const file of files) this.#found.set(file.facts.id, file);
    const changeOfFile = (file: LogFile): FileChange =>
      changeOf(file, this.#files.get(file.facts.id)?.entry, generationOf);
    let changed = files.filter((file) => changeOfFile(file) !== 'same');
    if (changed.length === 0 && this.#isWritten) return;
    const tree: TreeEntry = { key: this.#key, agent: this.#format.name, project, complete: false };
    const isAnother = (file: LogFile): boolean => ['replaced', 'continued'].includes(changeOfFile(file));
    if (!this.#isWritten || changed.some(isAnother)) {
      // All texts are written anew, so all files are read.
      changed = this.#found.size === files.length ? [...files] : [...this.#found.values()];
      const dropFiles = changed.map(({ facts }) => facts.id).filter((id) => this.#files.has(id));
      this.#startAnew(dropFiles);
      yield { tree, anew: true, dropFiles };
    }
    const piece = new Piece();
    for (const file of changed) {
      for (const _ of this.#read(file, piece, generationOf(file) ?? 0)) yield { tree, ...piece.take() };
      if (this.#texts.isHeavy) yield* this.#commit(tree, piece, false);
    }
    yield* this.#commit(tree, piece, true);
    this.#lines.close();
    this.#isWritten = true;
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
    return new TreeRows(
      this.#tree,
      this.#key,
      (ref) => this.#lineAt(ref),
      (message, record, tree, said) => this.#texts.add(message, record, tree, said, readAgain),
    );
  }

  /** With the results that lie beside the log. */
  #whole(blocks: readonly Block[]): readonly Block[] {
    if (!blocks.some((block) => block.type === 'result' && block.offloaded !== undefined)) return blocks;
    const files = { file: (id: FileId) => this.#found.get(id) };
    return blocks.map((block) => (block.type === 'result' ? readOffloaded(files, block) : block));
  }

  #startAnew(readAgain: readonly FileId[]): void {
    for (const id of readAgain) this.#files.delete(id);
    this.#tree = new Tree();
    this.#rows = this.#newRows();
    this.#isWritten = false;
    this.#feedKnown();
  }

  #feedKnown(): void {
    for (const { entry, lines } of this.#files.values()) {
      this.#tree.feed(entry.facts, []);
      for (let at = 0; at < lines.length; at += FEED) this.#tree.feed(entry.facts, lines.slice(at, at + FEED));
      if (entry.torn) this.#tree.feed(entry.facts, [entry.torn.line]);
    }
  }

  /** Stops whenever there is enough to be written. */
  *#read(file: LogFile, piece: Piece, generation: number): Generator<void> {
    const { facts } = file;
    const known = this.#files.get(facts.id);
    const lines = known?.lines ?? [];
    const before = known?.entry ?? null;
    let packed = Math.floor(lines.length / CHUNK_LINES);
    this.#tree.feed(facts, []);
    const pack = (to: number): void => {
      for (; packed < to; packed++)
        piece.addChunk(facts.id, packed, lines.slice(packed * CHUNK_LINES, (packed + 1) * CHUNK_LINES));
    };
    let fed = lines.length;
    const feed = (): void => {
      if (fed < lines.length) this.#tree.feed(facts, lines.slice(fed));
      fed = lines.length;
    };
    let torn: FileEntry['torn'] = null;
    const take = (parsed: Parsed, isTorn: boolean): void => {
      const { line } = parsed;
      const prompt = promptIn(parsed);
      this.#texts.readLine(line, () => this.#whole(parsed.blocks()));
      if (isTorn) {
        if (line.in !== 'report') torn = { line, prompt };
        return;
      }
      lines.push(line);
      if (prompt !== null) piece.addPrompt({ file: facts.id, line: line.ref.line, text: prompt });
      if (lines.length - fed >= FEED) feed();
      pack(Math.floor(lines.length / CHUNK_LINES));
    };
    const entry =
      facts.role === 'sidecar'
        ? this.#readSidecar(file, (line) => lines.push(line))
        : this.#readTail(file, before, take);
    feed();
    torn = torn as FileEntry['torn'];
    if (torn !== null) this.#tree.feed(facts, [torn.line]);
    pack(Math.ceil(lines.length / CHUNK_LINES));
    const now: FileEntry = {
      ...entry,
      tree: this.#key,
      id: facts.id,
      facts,
      path: file.path,
      generation,
      lines: lines.length,
      torn,
    };
    this.#files.set(facts.id, { entry: now, lines });
    piece.files.push(now);
    if (piece.bytes > PIECE_BYTES) yield;
  }

  #readTail(file: LogFile, before: FileEntry | null, take: (parsed: Parsed, torn: boolean) => void): ReadState {
    const from = before ?? BEGINNING;
    const { cursor, size, modified, problem } = readTail(this.#format, file, from, take);
    if (problem) this.problems.push(problem);
    this.bytesRead += size - from.offset;
    return { ...cursor, size, modified };
  }

  #readSidecar(file: LogFile, take: (line: Line) => void): ReadState {
    const { problem, bytes } = readLog(this.#format, file, (lines) => lines.forEach(take));
    if (problem) this.problems.push(problem);
    this.bytesRead += bytes;
    return { ...BEGINNING, size: file.size, modified: file.modified };
  }

  #lineAt({ file, line }: LineRef): Line | undefined {
    const known = this.#files.get(file);
    if (!known) return undefined;
    const { lines, entry } = known;
    let [low, high] = [0, lines.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = (lines[middle] as Line).ref.line;
      if (at === line) return lines[middle];
      if (at < line) low = middle + 1;
      else high = middle - 1;
    }
    return entry.torn?.line.ref.line === line ? entry.torn.line : undefined;
  }
}

type ReadState = Pick<FileEntry, 'offset' | 'line' | 'state' | 'size' | 'modified'>;

/** What a human typed in a line; titles and summaries need no more. */
function promptIn({ line, blocks }: Parsed): string | null {
  if (line.in !== 'queue' && (line.in !== 'chain' || line.origin !== 'human')) return null;
  for (const block of blocks()) {
    if (block.type === 'text' && block.text.trim() !== '') return block.text;
    if (block.type === 'command') return `${block.name} ${block.args}`.trim();
  }
  return null;
}

/** What was read and not given out yet. */
class Piece {
  files: FileEntry[] = [];
  #chunks: Chunk[] = [];
  #prompts: PromptEntry[] = [];
  bytes = 0;

  addChunk(file: FileId, index: number, lines: readonly Line[]): void {
    const bytes = packLines(lines);
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
