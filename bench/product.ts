import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Took {
  /** From the start of the program to its end. */
  readonly ms: number;
  readonly cpu: number;
  readonly peak: number;
}

const REPORT = 'SKEIN_BENCH_REPORT';
/** Comes before the program, in each of its threads. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => writeFileSync(process.env.${REPORT}, JSON.stringify(process.resourceUsage())));
`)}`;

/** Runs `skein` as users do, in a process of its own: from the sources each of its threads would hold the compiler too. */
export function runProduct(home: string, ...args: readonly string[]): Took {
  const folder = mkdtempSync(join(tmpdir(), 'skein-bench-'));
  const report = join(folder, 'report.json');
  const program = fileURLToPath(new URL('../bin/skein.cjs', import.meta.url));
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', TELL, program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, SKEIN_HOME: home, [REPORT]: report },
  });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`skein ${args.join(' ')} ended with ${status}\n${stderr}`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(folder, { recursive: true });
  return { ms, cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 };
}
