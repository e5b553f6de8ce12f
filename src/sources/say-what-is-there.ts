import { join } from 'node:path';
import { statsOf } from './find-files.ts';
import type { Problem } from './problem.ts';
import { recogniseFile } from './sniff-format.ts';
import { entriesIn } from './whose-files.ts';

/** More is not gone through: it is a folder of something else. */
const COUNTED = 10_000;
/** So many are looked into to name the agent. */
const LOOKED_INTO = 500;

/** Of a folder in which nothing was recognised: "12 files, none known; looks like Codex". Nothing of an empty one. */
export function sayWhatIsThere(folder: string): Problem[] {
  let count = 0;
  const agents = new Map<string, number>();
  const folders = [folder];
  for (let at = folders.shift(); at !== undefined && count < COUNTED; at = folders.shift()) {
    for (const entry of entriesIn(at)) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && statsOf(path)?.size) {
        const name = ++count > LOOKED_INTO ? null : nameOf(path);
        if (name !== null) agents.set(name, (agents.get(name) ?? 0) + 1);
      }
    }
  }
  if (count === 0) return [];
  const [first, ...others] = [...agents].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
  const also = others.length > 0 ? ` (and ${others.join(', ')})` : '';
  const files = `${count >= COUNTED ? 'more than ' : ''}${count} file${count === 1 ? '' : 's'}, none known`;
  return [{ path: folder, message: `${folder}: ${files}${first === undefined ? '' : `; looks like ${first}${also}`}` }];
}

function nameOf(path: string): string | null {
  const { format, other } = recogniseFile(path);
  return format?.title ?? other;
}
