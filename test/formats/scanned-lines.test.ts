import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateProjects } from '../../bench/generate/index.ts';
import { realCorpus } from '../../bench/real-corpus.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import type { Block, Line, LineRef, Parsed, Reader, ReadOptions } from '../../src/model/index.ts';
import { anyLine } from '../kit/random-line.ts';
import { assistant, bytesOf, factsOf, toolResult, user } from '../kit/transcript.ts';

/** `FC_RUNS=50000 npx vitest run test/formats/scanned-lines.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 1500);
if (realCorpus === null)
  console.log('test/formats/scanned-lines.test.ts: there is no real corpus; its test is skipped');

interface Read {
  readonly lines: readonly Line[];
  readonly blocks: readonly (readonly Block[])[];
  readonly state: unknown;
  /** Lines of which nothing was kept: they are asked in vain for what they say after the next one was read. */
  readonly passed: number;
}

const open = (path: string, options: ReadOptions): Reader =>
  claudeCode.open(factsOf(claudeCode, path), undefined, options);
const NOWHERE: LineRef = { file: 'p/s.jsonl', line: 1, offset: 0, bytes: 2 };

function read(path: string, bytes: Uint8Array, options: ReadOptions): Read {
  const reader = open(path, options);
  const lines: Line[] = [];
  const blocks: (readonly Block[])[] = [];
  let passed = 0;
  let last: Parsed | null = null;
  const splitter = new LineSplitter(path, (...line) => {
    const parsed = reader.next(...line);
    lines.push(parsed.line);
    blocks.push(parsed.blocks());
    if (last && isPassed(last)) passed++;
    last = parsed;
  });
  splitter.push(bytes);
  splitter.end();
  open(path, {}).next(Buffer.from('{}'), NOWHERE);
  if (last && isPassed(last)) passed++;
  return { lines, blocks, state: reader.state, passed };
}

function isPassed(parsed: Parsed): boolean {
  try {
    return !parsed.blocks();
  } catch {
    return true;
  }
}

const unwarned = ({ warnings: _, ...line }: Line): object => line;

/** How many lines there are, and how many were passed over. */
function checkFile(path: string, bytes: Uint8Array): readonly [lines: number, passed: number] {
  const whole = read(path, bytes, { survey: false });
  const lines = read(path, bytes, { survey: false, blocks: false });
  expect(whole.passed).toBe(0);
  expect({ ...lines, passed: 0 }).toStrictEqual(whole);
  expect({ ...read(path, bytes, { survey: false, details: false }), passed: 0 }).toStrictEqual(whole);
  const surveyed = read(path, bytes, { survey: true });
  expect({ ...surveyed, lines: surveyed.lines.map(unwarned) }).toStrictEqual({
    ...whole,
    lines: whole.lines.map(unwarned),
  });
  return [whole.lines.length, lines.passed];
}

/** Of many files. */
function checkAll(
  files: Iterable<readonly [path: string, bytes: Uint8Array]>,
): readonly [lines: number, passed: number] {
  const all = [...files].filter(([path]) => path.endsWith('.jsonl'));
  const counts = all.map(([path, bytes]) => checkFile(path.split('/').slice(1).join('/'), bytes));
  return counts.reduce(([lines, passed], [more, morePassed]) => [lines + more, passed + morePassed], [0, 0]);
}

function* realFiles(folder: string): Generator<readonly [string, Uint8Array]> {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.jsonl')) yield [path, readFileSync(join(folder, path))];
}

function* generatedFiles(): Generator<readonly [string, Uint8Array]> {
  for (const { path, lines } of generateProjects({ bytes: 2_000_000, files: 12 }))
    yield [path, Buffer.from([...lines].join(''))];
}

describe('a line of which not everything is asked for is as if it was read whole', () => {
  test.skipIf(realCorpus === null)('in real logs', () => {
    const [lines, passed] = checkAll(realFiles(realCorpus as string));
    expect(lines).toBeGreaterThan(2000);
    expect(passed).toBeGreaterThan(lines / 2);
  });

  test('in generated logs', () => {
    const [lines, passed] = checkAll(generatedFiles());
    expect(passed).toBeGreaterThan(lines / 2);
  });

  test('in lines that are too long', () => {
    const long = [
      user('r1', 'a1', [toolResult('t1', 'é'.repeat(2 ** 19))]),
      assistant('a2', 'r1', 'x'.repeat(2 ** 20)),
    ];
    expect(checkFile('s.jsonl', bytesOf([...long, assistant('a3', 'a2')]))).toEqual([3, 1]);
  });

  test('whatever stands there', () => {
    const path = fc.constantFrom('s.jsonl', 's.jsonl', 's/subagents/agent-a1.jsonl');
    let [all, allPassed] = [0, 0];
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 4 }), path, (lines, of) => {
        const [read, passed] = checkFile(of, Buffer.from(lines.join(''), 'latin1'));
        all += read;
        allPassed += passed;
      }),
      { numRuns },
    );
    expect(allPassed).toBeGreaterThan(all / 10);
  });
});

describe('what a line says that was not read whole', () => {
  const lines = [
    assistant('a1', 'u1', '✓'),
    user('r1', 'a1', [toolResult('t1', 'é')], { toolUseResult: { stdout: 'é' } }),
  ].map((line) => Buffer.from(JSON.stringify(line)));

  test.each([
    ['no blocks', { blocks: false }, [true, true]],
    ['no details', { details: false }, [false, true]],
    ['everything', {}, [false, false]],
  ])('can be had until the next line is read, where %s will be asked for', (_, options, isLost) => {
    const read = lines.map((line) => {
      const parsed = open('s.jsonl', { survey: false, ...options }).next(line, NOWHERE);
      expect(parsed.blocks()).toEqual(open('s.jsonl', { survey: true }).next(line, NOWHERE).blocks());
      return parsed;
    });
    expect(read.map(isPassed)).toEqual(isLost);
    if (isLost[1]) expect(() => read[1]?.blocks()).toThrow('after the next one was read');
  });
});
