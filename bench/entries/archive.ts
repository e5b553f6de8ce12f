import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HEAD } from '../../src/model/index.ts';
import { BLOCK } from '../../src/stores/store.ts';
import { runChild } from '../child.ts';
import type { Entry } from '../entry.ts';
import { longSession } from '../generate/extremes.ts';
import { writeLines, writeProjects } from '../generate/index.ts';
import { quantile } from '../measure.ts';

/** `SKEIN_BENCH_MIB=1024 npm run bench -- archive` */
const MIB = Number(process.env.SKEIN_BENCH_MIB ?? 256);

interface Pass {
  readonly files: number;
  readonly bytesRead: number;
  readonly cpu: number;
  readonly wall: number;
}

interface Archived {
  readonly cold: Pass;
  readonly again: Pass;
  readonly peak: number;
  readonly size: number;
}

/** Archiving a generated corpus from disk, again with nothing new, and a file of 100 MB that grows. */
export const archive: Entry = {
  name: 'archive',
  *run(folder) {
    const root = join(folder, 'corpus', 'projects');
    writeProjects(root, { bytes: MIB * 1048576 });
    const bare = runChild<Pass & { bytes: number; objects: number }>('bare', root);
    const { cold, again, peak, size } = runChild<Archived>('archive', root, join(folder, 'home'));
    const speed = (bytes: number, ms: number): string => `${(bytes / 1000 / ms).toFixed(0)} MB/s`;
    yield {
      name: 'archive, cold, CPU time / bare parse',
      figure: cold.cpu / bare.cpu,
      unit: '×',
      limit: 2,
      note: `${MIB} MiB, ${(bare.bytes / bare.objects / 1000).toFixed(1)} KB a line; ${speed(cold.bytesRead, cold.cpu)} over ${speed(bare.bytes, bare.cpu)} of CPU, ${speed(cold.bytesRead, cold.wall)} on the clock`,
    };
    yield { name: 'archive.db / size of the logs', figure: size / cold.bytesRead, unit: '×', limit: 0.35 };
    yield { name: 'peak memory of archiving', figure: peak / 1e6, unit: 'MB', limit: 400 };
    yield {
      name: 'again with nothing new, per 1,000 files',
      figure: (again.wall / again.files) * 1000,
      unit: 'ms',
      limit: 50,
      note: `${again.wall.toFixed(1)} ms for ${again.files} files, ${again.bytesRead} bytes read`,
    };
    yield* grow(join(folder, 'grow'));
  },
};

function* grow(folder: string) {
  const root = join(folder, 'projects');
  const home = join(folder, 'home');
  const file = join(root, 'p', 's.jsonl');
  mkdirSync(join(root, 'p'), { recursive: true });
  writeLines(file, longSession(200_000));
  runChild<Archived>('archive', root, home);
  const line = `${JSON.stringify({ text: 'x'.repeat(3000) })}\n`;
  appendFileSync(file, line);
  const { cold } = runChild<Archived>('archive', root, home);
  yield {
    name: 'one more line in a large file: bytes read beside the line',
    figure: cold.bytesRead - line.length,
    unit: 'B' as const,
    limit: HEAD + BLOCK,
    note: `${(statSync(file).size / 1e6).toFixed(0)} MB; ${cold.wall.toFixed(1)} ms with opening and looking`,
  };
  const { times, peak } = runChild<{ times: number[]; peak: number }>('watch', root, home, file);
  yield {
    name: 'one more line while watching, until it is archived, p95',
    figure: quantile(times, 0.95),
    unit: 'ms' as const,
    limit: 100,
    note: `median ${quantile(times, 0.5).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms; peak ${(peak / 1e6).toFixed(0)} MB`,
  };
}
