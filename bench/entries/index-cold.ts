import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { History } from '../../src/history/index.ts';
import { sourcesOf } from '../../src/ingest/index-projects.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import type { TreeSource } from '../../src/ingest/project-index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { runChild } from '../child.ts';
import type { Entry, Row } from '../entry.ts';
import { longSession } from '../generate/extremes.ts';
import { writeLines, writeProjects } from '../generate/index.ts';
import { profileFolder } from '../generate/profile.ts';
import { quantile } from '../measure.ts';
import { runProduct } from '../product.ts';

interface Bare {
  readonly ms: number;
  readonly cpu: number;
  readonly bytes: number;
}

interface Again {
  readonly ms: number;
  readonly files: number;
}

const MIB = 1048576;
/** One round may take a twentieth more or less than the next. */
const ROUNDS = 9;

/** `INDEX_MIB=1024 npm run bench -- index` for a whole user. */
export const index: Entry = {
  name: 'index',
  async *run(folder) {
    const mib = Number(process.env.INDEX_MIB ?? 128);
    const root = join(folder, 'projects');
    writeProjects(root, { bytes: mib * MIB });
    // Logs lie on disk when they are indexed, and these may still be on their way there.
    spawnSync('sync');
    // What is measured is the work, not the compiling of the sources.
    process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled');
    yield* cold(root, join(folder, 'home'), mib);
    yield* append(folder);
  },
};

interface Sort {
  readonly name: string;
  readonly text: 'on' | 'off';
  /** Times the bare loop, and times the logs. */
  readonly limits: { readonly time: number; readonly files: number };
}

const SORTS: readonly Sort[] = [
  { name: 'archive and index, without full text', text: 'off', limits: { time: 2, files: 0.35 } },
  { name: 'archive, index and full text', text: 'on', limits: { time: 4, files: 0.5 } },
];

interface ColdRun {
  readonly bare: Bare;
  readonly index: ReturnType<typeof runProduct>;
}

function* cold(root: string, home: string, mib: number): Generator<Row> {
  const looks = looksOf(root);
  for (const { name, text, limits } of SORTS) {
    const runs = Array.from({ length: ROUNDS + 1 }, (): ColdRun => {
      rmSync(home, { force: true, recursive: true });
      runProduct(home, 'settings', 'fullText', text);
      return { bare: runChild<Bare>('bare', root), index: runProduct(home, 'index', '--root', root) };
    }).slice(1);
    const median = (of: (run: ColdRun) => number): number => quantile(runs.map(of), 0.5);
    const cpu = median(({ index, bare }) => index.cpu / bare.cpu);
    const [ms, bareMs] = [median(({ index }) => index.ms), median(({ bare }) => bare.ms)];
    yield {
      name: `skein index (${name}), ${mib} MiB, all cores / bare loop on one, wall clock`,
      figure: median(({ index, bare }) => index.ms / bare.ms),
      unit: '×',
      limit: limits.time,
      note: `${ms.toFixed(0)} over ${bareMs.toFixed(0)} ms; processor time ${cpu.toFixed(1)} ×; ${looks}`,
    };
    const logs = runs.at(-1)?.bare.bytes ?? 0;
    const [archived, indexed] = ['archive.db', 'index.db'].map((file) => statSync(join(home, file)).size / logs);
    yield {
      name: `  archive.db and index.db / logs`,
      figure: (archived as number) + (indexed as number),
      unit: '×',
      limit: limits.files,
      note: `index.db ${indexed?.toFixed(3)} ×`,
    };
    const peak = Math.max(...runs.map((run) => run.index.peak));
    yield { name: '  largest memory', figure: peak / 1e6, unit: 'MB', limit: 400 };
  }
  const again = Array.from({ length: ROUNDS }, () => runChild<Again>('index-again', root, home));
  const { files } = again[0] as Again;
  yield {
    name: 'index with nothing new, per 1,000 files',
    figure:
      (quantile(
        again.map((run) => run.ms),
        0.5,
      ) /
        files) *
      1000,
    unit: 'ms',
    limit: 50,
    note: `${files} files; looking for them included, without starting the program`,
  };
}

/** Of its first projects: all of them are alike. */
function looksOf(root: string): string {
  const profiles = readdirSync(root)
    .sort()
    .slice(0, 3)
    .map((project) => profileFolder(join(root, project)));
  const sum = (of: (profile: (typeof profiles)[number]) => number): number =>
    profiles.reduce((total, profile) => total + of(profile), 0);
  const bytes = sum((profile) => profile.bytes);
  const text = sum((profile) => profile.bytes * profile.textShare) / bytes;
  return `${(bytes / sum(({ lines }) => lines)).toFixed(0)} bytes a line, ${(100 * text).toFixed(0)} % of them text`;
}

const RECORDS = 100_000;
const FURTHER = 200;

async function* append(folder: string): AsyncGenerator<Row> {
  const root = join(folder, 'long', 'projects');
  const path = join(root, 'p/s.jsonl');
  const lines = [...longSession(RECORDS + FURTHER)];
  const further = lines.splice(-FURTHER);
  writeLines(path, lines);
  const store = SqliteIndex.open(join(folder, 'long.db'));
  const live = new LiveIndex(store);
  const source = sourcesOf(History.open({ roots: [root] }))[0] as TreeSource;
  await live.update(source);
  await store.settle();
  const costs: number[] = [];
  let extra = 0;
  for (const line of further) {
    appendFileSync(path, line);
    const start = performance.now();
    const { size, mtimeMs } = statSync(path);
    const files = source.files.map((file) => ({ ...file, size, modified: mtimeMs }));
    const { bytesRead } = await live.update({ ...source, files });
    costs.push(performance.now() - start);
    extra += bytesRead - Buffer.byteLength(line);
  }
  await store.close();
  yield {
    name: 'one more line at 100,000 records, in the store, p95',
    figure: quantile(costs, 0.95),
    unit: 'ms',
    limit: 20,
    note: `p50 ${quantile(costs, 0.5).toFixed(1)}, worst ${Math.max(...costs).toFixed(0)} ms; ${extra} bytes read beside the appended`,
  };
}
