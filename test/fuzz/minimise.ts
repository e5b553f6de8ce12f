import { linesIn } from './draft.ts';
import type { CaseFiles } from './make-case.ts';

/** So long smaller cases are tried. */
const LONGEST = 15_000;

/** Fewer files and fewer lines that still fail. */
export async function minimise(files: CaseFiles, fails: (files: CaseFiles) => Promise<boolean>): Promise<CaseFiles> {
  let best = new Map(files);
  const end = performance.now() + LONGEST;
  const isEnough = async (smaller: Map<string, Uint8Array>): Promise<boolean> => {
    if (performance.now() > end || !(await fails(smaller))) return false;
    best = smaller;
    return true;
  };
  for (const path of files.keys()) await isEnough(new Map([...best].filter(([each]) => each !== path)));
  for (const path of [...best.keys()])
    for (let share = 2; share <= 64; share *= 2) {
      for (let part = 0; part < share; part++) {
        const bytes = best.get(path);
        if (!bytes) continue;
        const lines = linesIn(Buffer.from(bytes));
        const size = Math.ceil(lines.length / share);
        const left = lines.filter((_, i) => i < part * size || i >= (part + 1) * size);
        if (left.length < lines.length) await isEnough(new Map(best).set(path, joined(left, bytes.at(-1) === 10)));
      }
      if (linesIn(Buffer.from(best.get(path) ?? [])).length <= 1) break;
    }
  return best;
}

const joined = (lines: readonly Buffer[], isEnded: boolean): Uint8Array =>
  new Uint8Array(
    Buffer.from(lines.map((line) => line.toString('latin1')).join('\n') + (isEnded ? '\n' : ''), 'latin1'),
  );
