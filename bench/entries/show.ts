import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from '../entry.ts';
import { writeProjects } from '../generate/index.ts';

const BIN = fileURLToPath(new URL('../../bin/skein.cjs', import.meta.url));
const RSS = 'data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))';
const ROUNDS = 7;

/** `skein show` as somebody waits for it, in a process of its own, beside one that does nothing. The best of several. */
export const show: Entry = {
  name: 'show',
  async *run(folder) {
    // A bundle that is older than the sources is not used.
    spawnSync(process.execPath, [fileURLToPath(new URL('../../scripts/bundle.ts', import.meta.url))]);
    const small = await best(['-e', '0'], [BIN, 'show', writeSession(folder, 1e5)]);
    const note = `${small.total.toFixed(0)} over ${small.bare.toFixed(0)} ms`;
    yield { name: 'show a session of 100 KB / node -e 0', figure: small.total / small.bare, unit: '×', limit: 3, note };
    const large = await best(['-e', '0'], [BIN, 'show', writeSession(folder, 100e6)]);
    const first = large.first - large.bare;
    const rest = `node -e 0: ${large.bare.toFixed(0)} ms`;
    yield {
      name: 'show a session of 100 MB, first line over node -e 0',
      figure: first,
      unit: 'ms',
      limit: null,
      note: rest,
    };
    yield { name: '… its last line over node -e 0', figure: large.total - large.bare, unit: 'ms', limit: null };
    yield { name: '… its peak memory', figure: large.peak / 1e6, unit: 'MB', limit: 300 };
  },
};

function writeSession(folder: string, bytes: number): string {
  const root = mkdtempSync(join(folder, 'root-'));
  writeProjects(root, { bytes, files: 1 });
  const [path] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.jsonl'));
  return join(root, path ?? '');
}

interface Times {
  readonly first: number;
  readonly total: number;
  readonly peak: number;
}

/** Both in turn, so that a slow moment of the machine meets both. */
async function best(bare: readonly string[], args: readonly string[]): Promise<Times & { readonly bare: number }> {
  const least = { first: Infinity, total: Infinity, peak: Infinity, bare: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    least.bare = Math.min(least.bare, (await time(bare)).total);
    const { first, total } = await time(args);
    least.first = Math.min(least.first, first);
    least.total = Math.min(least.total, total);
  }
  return { ...least, peak: (await time(['--import', RSS, ...args])).peak };
}

function time(args: readonly string[]): Promise<Times> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let first = Number.NaN;
    let errors = '';
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', () => {
      if (Number.isNaN(first)) first = performance.now() - start;
    });
    child.stderr.on('data', (text) => {
      errors += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) reject(new Error(`${args.join(' ')} ended with ${code}\n${errors}`));
      const peak = Number(/peak (\d+)/.exec(errors)?.[1]) * 1024;
      resolve({ first, total: performance.now() - start, peak });
    });
  });
}
