import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formats } from '../src/formats/index.ts';
import type { Format } from '../src/model/index.ts';
import { BEGINNING, type LogFile, logFacts, readLog, readTail } from '../src/sources/index.ts';

test('H19 a log that became a pipe or a folder since it was found is told; nobody waits for somebody to write into it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skein-open-'));
  const path = join(folder, 's.jsonl');
  const [format] = formats as readonly [Format];
  const file = { path, facts: logFacts(format, folder, 's.jsonl'), size: 5, modified: 1 } as unknown as LogFile;
  const problems = () => {
    const tail = readTail(format, file, BEGINNING, () => undefined);
    let read = tail.next();
    while (!read.done) read = tail.next();
    return [read.value.problem?.message, readLog(format, file, () => undefined).problem?.message];
  };
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  expect(problems()).toEqual(Array(2).fill(expect.stringContaining(`${path} is not a file any more`)));
  rmSync(path);
  mkdirSync(path);
  expect(problems()).toEqual(Array(2).fill(expect.stringContaining(`${path} is a folder, not a file`)));
  rmSync(path, { recursive: true });
  writeFileSync(path, '{}\n');
  expect(problems()).toEqual([undefined, undefined]);
  rmSync(folder, { recursive: true });
});
