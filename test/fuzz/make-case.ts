import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Random } from '../../bench/generate/random.ts';
import { bytesIn, type Draft, draftOf } from './draft.ts';
import { fileMutations } from './mutate-files.ts';
import { lineMutations } from './mutate-lines.ts';
import { valueMutations } from './mutate-values.ts';
import { randomSeed, type Seed } from './seeds.ts';

/** Files by their paths below a folder with one root per agent. */
export type CaseFiles = ReadonlyMap<string, Uint8Array>;

/** The same number gives the same files, as long as the seeds are the same. */
export function makeCase(number: number, seeds: readonly Seed[]): CaseFiles {
  const random = new Random(`fuzz ${number}`);
  const choose = (): Draft => draftOf(random.chance(0.3) ? randomSeed(random) : random.pick(seeds), random);
  const draft = choose();
  if (random.chance(0.15)) draft.files.push(...choose().files);
  for (let left = random.between(1, 12); left > 0; left--) mutate(draft, random);
  return filesOf(draft);
}

function mutate(draft: Draft, random: Random): void {
  const share = random.next();
  const list = share < 0.6 ? valueMutations : share < 0.85 ? lineMutations : fileMutations;
  random.pick(list)(draft, random);
}

/** Of two files that came to one name the later one is there; one whose name leads out of its root is left out. */
function filesOf({ files }: Draft): Map<string, Uint8Array> {
  const byPath = new Map<string, Uint8Array>();
  for (const file of files) {
    const root = file.agent === 'pi' ? 'pi' : 'claude';
    const path = posix.normalize(`${root}/${file.folder}/${file.path}`);
    if (path.startsWith(`${root}/`)) byPath.set(path, new Uint8Array(bytesIn(file)));
  }
  return byPath;
}

/** Where a name is taken by a folder, or cannot be one, the file is left out. */
export function writeCase(folder: string, files: CaseFiles): void {
  for (const [path, bytes] of files) {
    const full = join(folder, path);
    try {
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, bytes);
    } catch {}
  }
}

export const rootsOf = (folder: string): string[] => ['claude', 'pi'].map((name) => join(folder, name));
