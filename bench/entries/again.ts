import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Entry } from '../entry.ts';
import { writeProjects } from '../generate/index.ts';
import { quantile } from '../measure.ts';

/** As many as a user of some months has; how long they are does not matter. */
const FILES = 3000;
const BYTES = 64 * 1048576;
const ROUNDS = 7;

/** `skein index` with nothing new, archive and index, as a whole process. */
export const again: Entry = {
  name: 'again',
  *run(folder) {
    const root = join(folder, 'corpus', 'projects');
    writeProjects(root, { bytes: BYTES, files: FILES });
    const env = { ...process.env, SKEIN_HOME: join(folder, 'home') };
    const skein = (...args: string[]): { ms: number; out: string } => {
      const start = performance.now();
      const bin = resolve(import.meta.dirname, '../../bin/skein.cjs');
      const { stdout } = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' });
      return { ms: performance.now() - start, out: stdout };
    };
    const index = () => skein('index', '--json', '--root', root);
    index();
    const { files } = JSON.parse(index().out) as { files: number };
    const rounds = Array.from({ length: ROUNDS }, () => ({ start: skein('--version').ms, index: index().ms }));
    const ms = (of: (round: (typeof rounds)[number]) => number): number => quantile(rounds.map(of), 0.5);
    yield {
      name: 'skein index with nothing new, per 1,000 files, beside the start',
      figure: (ms(({ index, start }) => index - start) / files) * 1000,
      unit: 'ms',
      limit: 50,
      note: `${ms((round) => round.index).toFixed(0)} ms for ${files} files, ${ms((round) => round.start).toFixed(0)} of them to start`,
    };
  },
};
