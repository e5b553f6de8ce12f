import type { LogRecord } from '../model/index.ts';
import type { OwnEntry } from '../stores/index.ts';
import { isFailed } from './attribute-sets.ts';
import type { SaidAt } from './text-docs.ts';

/** Equal while the document of a message says the same: its lines, its title, what filters ask for. Never 0. `about`: as `aboutHash`. */
export function docHash(row: OwnEntry, { refs, nth, callAt, callNth, title }: SaidAt, about: number): number {
  let hash = title === null ? refs.length : hashText(title);
  for (const { file, line } of refs) hash = mix(hash, line + hashOf(file));
  if (nth !== null) hash = mix(hash, nth);
  if (callAt) hash = mix(mix(hash, callAt.line + hashOf(callAt.file)), callNth);
  hash = mix(hash, Math.floor((row.time ?? 0) / 1000));
  hash = mix(hash, (row.isSidechain ? 1 : 0) + (isFailed(row) ? 2 : 0));
  hash = mix(mix(hash, hashOf(row.toolName)), about);
  return hash === 0 ? 1 : hash;
}

/** What the documents of all messages of a record say. */
export const aboutHash = ({ usage, env }: LogRecord): number =>
  mix(mix(hashOf(usage?.model), hashOf(env.gitBranch)), hashOf(env.cwd));

const mix = (hash: number, value: number): number => (Math.imul(hash, 31) + value) | 0;

/** The same names come again and again. */
const HASHES = new Map<string, number>();

function hashOf(name: string | null | undefined): number {
  if (!name) return 0;
  let hash = HASHES.get(name);
  if (hash === undefined) {
    hash = hashText(name);
    if (HASHES.size > 10_000) HASHES.clear();
    HASHES.set(name, hash);
  }
  return hash;
}

function hashText(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
