/**
 * `node bench/grow.ts --minutes 10`: 50 files grow under `skein index --watch`, each by a line, and by the next when that one was
 * announced. Prints every minute how much memory the watcher has and how long lines took to be in the store. `--large` makes the first
 * of the files one of 100 MB.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { writeLines } from './generate/index.ts';
import { quantile } from './measure.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    files: { type: 'string', default: '50' },
    large: { type: 'boolean', default: false },
  },
});
const MINUTE = 60_000;
const EVERY = 40;
const BEGIN = 200;
const LARGE = 35_000;

interface Growing {
  readonly path: string;
  lines: number;
  /** When its last line was appended; null when that was announced. */
  waits: number | null;
}

const folder = mkdtempSync(join(tmpdir(), 'skein-grow-'));
const env = {
  ...process.env,
  HOME: folder,
  SKEIN_HOME: join(folder, 'data'),
  CLAUDE_CONFIG_DIR: join(folder, 'agent'),
};
const files = Array.from({ length: Number(values.files) }, (_, i): Growing => {
  const path = join(folder, 'agent/projects', `-p${i % 10}`, `session-${i}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const lines = i === 0 && values.large ? LARGE : BEGIN;
  writeLines(path, linesOf(i, 0, lines));
  return { path, lines, waits: null };
});
const watcher = spawn(
  process.execPath,
  [resolve(import.meta.dirname, '../bin/skein.cjs'), 'index', '--watch', '--json'],
  {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
try {
  await soak(watcher, Number(values.minutes) * MINUTE);
} finally {
  watcher.kill('SIGINT');
  await new Promise((done) => watcher.once('close', done));
  rmSync(folder, { recursive: true, force: true });
}

async function soak(child: ChildProcess, duration: number): Promise<void> {
  const all: number[] = [];
  let latencies: number[] = [];
  let ready = (): void => undefined;
  const begun = new Promise<void>((done) => {
    ready = done;
  });
  const byPath = new Map(files.map((file) => [file.path, file]));
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
    const said = JSON.parse(text);
    if ('milliseconds' in said) ready();
    for (const path of said.indexed?.files ?? []) {
      const file = byPath.get(path);
      if (!file || file.waits === null) continue;
      latencies.push(performance.now() - file.waits);
      file.waits = null;
    }
  });
  await begun;
  const start = performance.now();
  console.log(`${files.length} files; ready with ${memoryOf(child)} MB`);
  let [next, minute, appended] = [0, 1, 0];
  const timer = setInterval(() => {
    const file = files[next++ % files.length] as Growing;
    if (file.waits !== null) return;
    file.waits = performance.now();
    appendFileSync(file.path, [...linesOf(files.indexOf(file), file.lines, 1)].join(''));
    file.lines++;
    appended++;
  }, EVERY);
  while (performance.now() - start < duration) {
    const end = Math.min(minute * MINUTE, duration);
    // A timer may end a moment early.
    while (performance.now() - start < end)
      await new Promise((done) => setTimeout(done, end - (performance.now() - start)));
    all.push(...latencies);
    console.log(`${String(minute++).padStart(3)} min  ${memoryOf(child)} MB  ${figures(latencies)}`);
    latencies = [];
  }
  clearInterval(timer);
  console.log(`all      ${memoryOf(child)} MB (most ${peakOf(child)})  ${figures(all)}, ${appended} appended`);
}

function figures(times: readonly number[]): string {
  const ms = (share: number): string => quantile(times, share).toFixed(0).padStart(4);
  return `${times.length} lines: p50 ${ms(0.5)}  p95 ${ms(0.95)}  p99 ${ms(0.99)}  max ${Math.max(0, ...times).toFixed(0)} ms`;
}

/** In MB; where there is no `/proc` nobody tells. */
function statusOf({ pid }: ChildProcess, field: string): string {
  try {
    const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return `${Math.round((Number(found?.[1]) * 1024) / 1e6)}`;
  } catch {
    return '?';
  }
}

function memoryOf(child: ChildProcess): string {
  return statusOf(child, 'VmRSS').padStart(4);
}

function peakOf(child: ChildProcess): string {
  return statusOf(child, 'VmHWM');
}

/** A conversation that goes on: a prompt, an answer with a call, its result. */
function* linesOf(file: number, from: number, count: number): Generator<string> {
  const idOf = (n: number): string => `${file}-${n}`;
  for (let n = from; n < from + count; n++) {
    const time = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    const text = `word${n} `.repeat(330);
    const [type, content] =
      n % 3 === 0
        ? ['user', text]
        : n % 3 === 1
          ? ['assistant', [{ type: 'tool_use', id: `call-${idOf(n)}`, name: 'Bash', input: { command: text } }]]
          : ['user', [{ type: 'tool_result', tool_use_id: `call-${idOf(n - 1)}`, content: text }]];
    yield `${JSON.stringify({
      type,
      uuid: idOf(n),
      parentUuid: n === 0 ? null : idOf(n - 1),
      sessionId: `session-${file}`,
      cwd: `/p${file % 10}`,
      timestamp: time,
      message: {
        role: type,
        content,
        ...(type === 'assistant' && { id: `msg-${idOf(n)}`, model: 'm', usage: { input_tokens: 9, output_tokens: 9 } }),
      },
    })}\n`;
  }
}
