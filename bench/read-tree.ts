import { formats, LineSplitter } from '../src/formats/index.ts';
import type { FileFacts, Format, Line, Parsed, ReadOptions } from '../src/model/index.ts';
import { Tree } from '../src/tree/index.ts';
import { type GeneratedFile, type GenerateOptions, generateProjects } from './generate/index.ts';

/** A file of a project, in memory. */
export interface MemoryFile {
  readonly facts: FileFacts;
  readonly bytes: Buffer;
}

const claudeCode = formats.find(({ name }) => name === 'claude-code') as Format;

export const generateInMemory = (options: GenerateOptions): MemoryFile[] =>
  [...generateProjects(options)].map(inMemory);

export const inMemory = ({ path, lines }: GeneratedFile): MemoryFile =>
  memoryFile(path, Buffer.from([...lines].join('')));

/** `path` begins with the name of the project. */
export function memoryFile(path: string, bytes: Buffer): MemoryFile {
  const project = path.slice(0, path.indexOf('/'));
  const role = claudeCode.roleOf(path.slice(project.length + 1));
  if (!role) throw new Error(`not a log: ${path}`);
  const facts = { id: path, path, format: claudeCode.name, project, branches: claudeCode.branches, ...role };
  return { facts, bytes };
}

export const sizeOf = (files: readonly MemoryFile[]): number => files.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** What reading cannot do without: the yardstick. */
export function bareLoop(files: readonly MemoryFile[]): number {
  let objects = 0;
  for (const { bytes } of files) {
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(10, start);
      const end = found < 0 ? bytes.length : found;
      try {
        if (JSON.parse(bytes.toString('utf8', start, end)) !== null) objects++;
      } catch {
        // A damaged line.
      }
      start = end + 1;
    }
  }
  return objects;
}

const PIECE = 1 << 20;
const BATCH = 256;

/** The lines of a file, as `sources/read-log.ts` reads them from disk. */
export function readLines(
  { facts, bytes }: MemoryFile,
  take: (lines: Line[]) => void,
  see?: (parsed: Parsed) => void,
  options: ReadOptions = { survey: false },
) {
  if (facts.role === 'sidecar') {
    const line = claudeCode.readSidecar?.(facts, bytes.toString('utf8'));
    if (line) take([line]);
    return;
  }
  const reader = claudeCode.open(facts, undefined, { ...options, blocks: see !== undefined });
  let batch: Line[] = [];
  const splitter = new LineSplitter(facts.id, (piece, ref, cut, torn) => {
    const parsed = reader.next(piece, ref, cut, torn);
    see?.(parsed);
    batch.push(parsed.line);
    if (batch.length < BATCH) return;
    take(batch);
    batch = [];
  });
  for (let at = 0; at < bytes.length; at += PIECE) splitter.push(bytes.subarray(at, at + PIECE));
  splitter.end();
  take(batch);
}

/** Parse and tree as `history/project.ts` reads, one tree per project, and every session asked for once: threads are decided only then. */
export function readTrees(files: readonly MemoryFile[], options?: ReadOptions): Tree[] {
  const trees = new Map<string, Tree>();
  for (const file of files) {
    const tree = trees.get(file.facts.project) ?? new Tree();
    trees.set(file.facts.project, tree);
    readLines(file, (lines) => tree.feed(file.facts, lines), undefined, options);
  }
  for (const tree of trees.values()) {
    tree.commit();
    for (const id of tree.sessionIds()) tree.session(id);
  }
  return [...trees.values()];
}
