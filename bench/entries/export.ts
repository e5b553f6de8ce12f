import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { Entry, Row } from '../entry.ts';
import { writeProjects } from '../generate/index.ts';
import { quantile } from '../measure.ts';
import { realCorpus } from '../real-corpus.ts';

interface Export {
  readonly ms: number;
  readonly cpu: number;
  readonly written: number;
  readonly files: number;
  readonly peak: number;
}

const MIB = 1048576;
const ROUNDS = 3;

/** Pages of everything, in a process of its own, beside a bare parse of the same bytes. `EXPORT_MIB=1024 npm run bench -- export` for a whole user. */
export const exporting: Entry = {
  name: 'export',
  *run(folder) {
    const mib = Number(process.env.EXPORT_MIB ?? 128);
    const root = join(folder, 'projects');
    writeProjects(root, { bytes: mib * MIB });
    // What is measured is the work, not the compiling of the sources.
    process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled');
    yield* measure(`${mib} MiB`, root, join(folder, 'out'), 10);
    if (realCorpus) yield* measure('the real corpus', realCorpus, join(folder, 'real'), null);
  },
};

function* measure(what: string, root: string, out: string, limit: number | null): Generator<Row> {
  const runs: { bare: Export; one: Export; all: Export; again: Export }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const fresh = (workers: number): Export => {
      rmSync(out, { recursive: true, force: true });
      return runChild<Export>('export', root, out, `${workers}`);
    };
    const run = {
      bare: runChild<Export>('bare', root),
      one: fresh(1),
      all: fresh(availableParallelism()),
      again: runChild<Export>('export', root, out, '1'),
    };
    if (round >= 0) runs.push(run);
  }
  const median = (of: (run: (typeof runs)[number]) => number): number => quantile(runs.map(of), 0.5);
  const [written, files] = [median(({ one }) => one.written), median(({ one }) => one.files)];
  yield {
    name: `pages of ${what} by one thread / bare parse, processor time`,
    figure: median(({ one, bare }) => one.cpu / bare.cpu),
    unit: '×',
    limit,
    note: `${median(({ one }) => one.cpu).toFixed(0)} over ${median(({ bare }) => bare.cpu).toFixed(0)} ms; ${written} pages`,
  };
  yield {
    name: `… on all cores / bare parse on one, wall clock`,
    figure: median(({ all, bare }) => all.ms / bare.ms),
    unit: '×',
    limit,
    note: `${median(({ all }) => all.ms).toFixed(0)} ms, by one thread ${median(({ one }) => one.ms).toFixed(0)} ms`,
  };
  yield {
    name: '… largest memory on all cores',
    figure: Math.max(...runs.map(({ all }) => all.peak)) / 1e6,
    unit: 'MB',
    limit: 600,
    note: `by one thread ${(Math.max(...runs.map(({ one }) => one.peak)) / 1e6).toFixed(0)} MB`,
  };
  yield {
    name: '… again with nothing new',
    figure: median(({ again }) => again.ms),
    unit: 'ms',
    limit: null,
    note: `${files} files`,
  };
}
