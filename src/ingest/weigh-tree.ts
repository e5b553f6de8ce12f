import { closeSync, readSync } from 'node:fs';
import { openFile } from '../sources/index.ts';
import type { FileEntry } from '../stores/index.ts';
import type { TreeSource } from './project-index.ts';

export interface TreeWeight {
  /** Of its files. */
  readonly bytes: number;
  /** So many bytes of usual lines take as much memory. */
  readonly weight: number;
}

/** A tree is held whole, also when little of it is new. */
export function weighTree(source: TreeSource, known: Iterable<Pick<FileEntry, 'id' | 'size'>>): TreeWeight {
  const sizes = new Map([...known].map(({ id, size }) => [id, size]));
  for (const { facts, size } of source.files) sizes.set(facts.id, size);
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { bytes, weight: bytes * density(source) };
}

const NEWLINE = 10;
const USUAL_LINE = 2700;
const SAMPLE = 64 * 1024;
const WORTH_A_LOOK = 8 * 1024 * 1024;

/** A tree takes memory for its lines, however short they are: so many more there are than usual, told from the middle of the largest file. */
function density({ files }: TreeSource): number {
  const [largest] = [...files].sort((a, b) => b.size - a.size);
  if (!largest || largest.size < WORTH_A_LOOK) return 1;
  const sample = sampleOf(largest, Math.floor(largest.size / 2));
  let lines = 0;
  for (let at = sample.indexOf(NEWLINE); at >= 0; at = sample.indexOf(NEWLINE, at + 1)) lines++;
  return Math.max(1, (lines * USUAL_LINE) / SAMPLE);
}

function sampleOf({ path, kept, bytes }: TreeSource['files'][number], from: number): Uint8Array {
  if (kept) return kept.read(from, SAMPLE);
  if (bytes) return bytes.subarray(from, from + SAMPLE);
  const sample = Buffer.alloc(SAMPLE);
  try {
    const handle = openFile(path);
    readSync(handle, sample, 0, SAMPLE, from);
    closeSync(handle);
  } catch {
    // It is told when it is read.
  }
  return sample;
}
