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

/** Runs `skein` as users do, in a process of its own: from the sources each of its threads would hold the compiler too. */
export function runProduct(home: string, ...args: readonly string[]): Took {
  const folder = mkdtempSync(join(tmpdir(), 'skein-bench-'));
  const report = join(folder, 'report.json');
  const [runner, program] = ['children/program.cjs', '../bin/skein.cjs'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  ) as [string, string];
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [runner, report, program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, SKEIN_HOME: home },
  });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`skein ${args.join(' ')} ended with ${status}\n${stderr}`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(folder, { recursive: true });
  return { ms, cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 };
}
