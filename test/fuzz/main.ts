/**
 * `npm run fuzz -- --minutes 10`: mutated transcripts, each put through everything there is. `--cases N`: so many of them; `--from N`:
 * beginning with this one; `--seed N`: only this one, again. A case that fails is written to a temporary folder, as small as it still
 * fails.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkCase } from './check-case.ts';
import type { Told } from './child.ts';
import { makeCase, writeCase } from './make-case.ts';
import { minimise } from './minimise.ts';
import { fixedSeeds } from './seeds.ts';
import { kindOf, type Violation } from './verdict.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string' },
    from: { type: 'string', default: `${Math.floor(Date.now() / 1000) % 1_000_000_000}` },
    seed: { type: 'string' },
  },
});
const first = Number(values.seed ?? values.from);
const most = values.seed !== undefined ? 1 : Number(values.cases ?? (values.minutes === undefined ? 500 : Infinity));
const end = performance.now() + Number(values.minutes ?? Infinity) * 60_000;
/** A case takes a fraction of a second: one that takes so long hangs. */
const HANGS = 60_000;

const data = mkdtempSync(join(tmpdir(), 'skein-fuzz-data-'));
process.env.SKEIN_HOME = data;
const figures = { cases: 0, files: 0, sessions: 0, checks: 0, slowest: { step: '', milliseconds: 0, seed: first } };
const kinds = new Map<string, number>();
const begun = performance.now();
try {
  await runAll();
} finally {
  rmSync(data, { recursive: true, force: true });
}
const { cases, files, sessions, checks, slowest } = figures;
console.log(
  `${cases} cases from seed ${first}, ${files} files, ${sessions} sessions, ${checks} checks in ${((performance.now() - begun) / 1000).toFixed(0)} s; ` +
    `slowest: ${slowest.step}, ${(slowest.milliseconds / 1000).toFixed(1)} s (seed ${slowest.seed})`,
);
for (const [kind, count] of kinds) console.log(`${String(count).padStart(6)} × ${kind}`);
console.log(kinds.size === 0 ? 'No violation.' : `${kinds.size} kinds of violations.`);
process.exitCode = kinds.size === 0 ? 0 : 1;

async function runAll(): Promise<void> {
  let child = start();
  for (let number = first; number < first + most && performance.now() < end; number++) {
    const told = await run(child, number);
    if (typeof told === 'string') {
      child.kill('SIGKILL');
      child = start();
      await report(number, { step: 'any', message: told, stack: [] });
      continue;
    }
    figures.cases++;
    figures.files += told.files;
    figures.sessions += told.sessions;
    figures.checks += told.checks;
    if (told.slowest.milliseconds > figures.slowest.milliseconds) figures.slowest = { ...told.slowest, seed: number };
    for (const violation of told.violations) await report(number, violation);
  }
  child.disconnect();
}

function start(): ChildProcess {
  return fork(join(import.meta.dirname, 'child.ts'));
}

/** What became of it; a text when it did not end as it should. */
function run(child: ChildProcess, number: number): Promise<Told | string> {
  return new Promise((resolve) => {
    const finish = (told: Told | string): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(told);
    };
    const timer = setTimeout(() => finish('it does not end'), HANGS);
    child.once('message', (told: Told) => finish(told));
    child.once('exit', (code, signal) => finish(`the process ended with ${signal ?? code}`));
    child.send(number);
  });
}

/** Each kind once, as small as it can be; the others are counted. */
async function report(number: number, violation: Violation): Promise<void> {
  const kind = kindOf(violation);
  const known = kinds.get(kind) ?? 0;
  kinds.set(kind, known + 1);
  if (known > 0) return;
  const all = makeCase(number, fixedSeeds());
  const fails = async (files: typeof all): Promise<boolean> =>
    (await checkCase(number, files)).violations.some((each) => kindOf(each) === kind);
  const smallest = violation.step === 'any' ? all : await minimise(all, fails);
  const folder = mkdtempSync(join(tmpdir(), `skein-fuzz-${number}-`));
  writeCase(folder, smallest);
  console.log(`seed ${number}: ${violation.step}: ${violation.message}`);
  for (const line of violation.stack) console.log(`    ${line}`);
  console.log(`    its files: ${folder}`);
}
