import { appendFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Random } from '../../bench/generate/random.ts';
import { History, type Logs, type Project } from '../../src/history/index.ts';
import { digestOf } from '../kit/transcript.ts';
import { type CaseFiles, rootsOf, writeCase } from './make-case.ts';
import { must, type Verdict } from './verdict.ts';
import { Views } from './views.ts';

const PIECES = 10;
/** Beyond this, building everything anew after each piece takes longer than it is worth. */
const MOST_BYTES = 400_000;

/** Files that grow piece by piece give the tree of the whole files, and views brought up to date are those built anew. */
export async function checkGrowth(folder: string, files: CaseFiles, random: Random, verdict: Verdict): Promise<void> {
  const whole = new Map([...files].map(([path, bytes]) => [path, path.endsWith('.jsonl') ? ended(bytes) : bytes]));
  writeCase(folder, whole);
  for (const project of History.open({ roots: rootsOf(folder) }).projects)
    for (const logs of project.logs) await checkLogs(folder, whole, project, logs, random, verdict);
}

/** With a newline at its end: until it comes, who follows does not know that a line is over. */
function ended(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 || bytes.at(-1) === 10 ? bytes : new Uint8Array([...bytes, 10]);
}

async function checkLogs(
  folder: string,
  whole: CaseFiles,
  project: Project,
  logs: Logs,
  random: Random,
  verdict: Verdict,
): Promise<void> {
  const followed = logs.files.filter(({ facts }) => facts.role !== 'sidecar');
  const contents = new Map(
    followed.map((file) => [file.path, whole.get(relative(folder, file.path)) ?? new Uint8Array()]),
  );
  const size = [...contents.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  await verdict.step('follow', async () => {
    const expected = digestOf(logs.read().tree);
    for (const { path } of followed) writeFileSync(path, '');
    const poll = logs.follow(new Set(followed.map(({ facts }) => facts.id)));
    const views = size < MOST_BYTES ? new Views(project, logs) : null;
    for (const [path, piece] of piecesOf(contents, random)) {
      appendFileSync(path, piece);
      const change = poll();
      must(change !== null, () => 'a file that only grew is taken for another');
      if (views) await verdict.step('update law', () => views.update(change));
    }
    const digest = digestOf(logs.read().tree);
    must(digest === expected, () => `followed in pieces another tree: ${firstDifference(digest, expected)}`);
  });
}

function firstDifference(followed: string, whole: string): string {
  const others = whole.split('\n');
  const at = followed.split('\n').findIndex((line, i) => line !== others[i]);
  return `${followed.split('\n')[at]?.trim()} instead of ${others[at]?.trim()}`.slice(0, 300);
}

/** Of every file so many pieces, in any order of files. */
function* piecesOf(contents: ReadonlyMap<string, Uint8Array>, random: Random): Generator<[string, Uint8Array]> {
  const waiting = [...contents]
    .map(([path, bytes]) => ({ path, bytes, at: 0 }))
    .filter(({ bytes }) => bytes.length > 0);
  while (waiting.length > 0) {
    const next = random.pick(waiting);
    const length = 1 + random.below(Math.ceil((2 * next.bytes.length) / PIECES));
    yield [next.path, next.bytes.subarray(next.at, next.at + length)];
    next.at += length;
    if (next.at >= next.bytes.length) waiting.splice(waiting.indexOf(next), 1);
  }
}
