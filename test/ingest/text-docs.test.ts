import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { TextDocs, type TextLimits } from '../../src/ingest/text-docs.ts';
import { type Block, encodeCodes, type Line } from '../../src/model/index.ts';
import { documentsOf, type Volume } from '../../src/search/index.ts';
import { blocksOf, claudeTree, linesOf, recordOf, user } from '../kit/transcript.ts';

const SAID = ['alpha beta gamma', 'delta epsilon zeta', 'eta theta iota', 'kappa lambda alpha'];
const log = SAID.map((text, i) => user(`u${i}`, i === 0 ? null : `u${i - 1}`, text));
const tree = claudeTree(log);
const lines = linesOf(claudeCode, 's.jsonl', log);
const blocks = blocksOf(claudeCode, log) as unknown as Block[][];

/** The words of each message, and how many lines were read again. `inTime`: messages are made as soon as what waits is heavy. */
function index(limits: Partial<TextLimits>, inTime = false): { words: string[]; again: number; volumes: number } {
  const most = { terms: 1000, documents: 1000, waiting: 1000, lines: 1000, vocabulary: 1000, ...limits };
  let number = 0;
  const docs = new TextDocs(() => number++, { limits: most });
  let again = 0;
  const volumes: Volume[] = [];
  const take = (): void => {
    const taken = docs.take([]);
    if (taken?.volume) volumes.push(taken.volume);
  };
  const add = (line: Line, i: number): void => {
    const record = recordOf(tree, `u${i}`);
    const message = {
      id: BigInt(i),
      type: 'user',
      time: null,
      isSidechain: false,
      toolName: null,
      isError: null,
      agent: null,
    } as const;
    const said = { refs: [line.ref], of: 'own', call: null, nth: null, callAt: null, callNth: 0, title: null } as const;
    docs.add(message, record, 't', said, ({ line: at }) => {
      again++;
      return blocks[at - 1] as Block[];
    });
    if (docs.isFull) take();
  };
  let made = 0;
  for (const [i, line] of lines.entries()) {
    docs.readLine(line, () => blocks[i] as Block[]);
    if (i < lines.length - 1 && !(inTime && docs.isHeavy)) continue;
    for (; made <= i; made++) add(lines[made] as Line, made);
    docs.forgetLines();
  }
  take();
  const kept = volumes.flatMap((volume) =>
    documentsOf({
      ...volume,
      heads: volume.heads.split('\n'),
      block: (at) => volume.blocks[at] as Uint8Array,
      neighbours: (at) => volume.neighbours[at] as Uint8Array,
      dead: new Set(),
    }),
  );
  const isWord = (term: string): boolean => /^[a-z]/.test(term);
  return { words: kept.map(({ terms }) => terms.filter(isWord).join(' ')), again, volumes: volumes.length };
}

const whole = index({}).words;

test('M10 the text of a message is the same however little is held of a file', () => {
  expect(whole[0]).toBe('alpha 1 beta 1 gamma 1');
  expect(index({})).toEqual({ words: whole, again: 0, volumes: 1 });
  expect(index({ lines: 0 })).toMatchObject({ words: whole, again: 3 });
  expect(index({ waiting: 1 })).toMatchObject({ words: whole, again: 2 });
  expect(index({ vocabulary: 3 })).toMatchObject({ words: whole, again: 3, volumes: 4 });
  expect(index({ terms: 4 })).toMatchObject({ words: whole, again: 0 });
  // Lines that wait come into the volume first; one is read again until it is written.
  expect(index({ vocabulary: 5 }, true)).toMatchObject({ words: whole, again: 1, volumes: 2 });
  expect(index({ waiting: 1 }, true)).toMatchObject({ words: whole, again: 0, volumes: 1 });
});

/** Whole escape sequences and pieces of them; some begin or end with characters beyond ASCII. */
const units = [
  'a',
  'é',
  '漢字',
  '😀',
  ' ',
  '\n',
  '\x1b[1m',
  '\x1b]0;',
  '\x07',
  '\x1b',
  '\u009b',
  '1m',
  '\u009d',
  '\u009c',
  '\u0090',
  'à',
];

test('M13: what a result says is found alike, whether it came as text or as codes', () => {
  const line = lines[0] as Line;
  const volumeOf = (read: (docs: TextDocs) => void): unknown => {
    const docs = new TextDocs(() => 0);
    read(docs);
    const message = {
      id: 1n,
      type: 'tool_result',
      time: null,
      isSidechain: false,
      toolName: null,
      isError: null,
      agent: null,
    } as const;
    docs.add(
      message,
      recordOf(tree, 'u0'),
      't',
      { refs: [line.ref], of: 'result', call: 'c', nth: null, callAt: null, callNth: 0, title: null },
      () => [],
    );
    return docs.take([]);
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...units), { maxLength: 20 }), (parts) => {
      const output = parts.join('');
      const block: Block = {
        at: line.ref,
        type: 'result',
        of: 'c',
        output: [{ type: 'text', text: output }, 'é'],
        isError: false,
      };
      const coded = { of: 'c', output: [{ type: 'text', text: encodeCodes(output) }, encodeCodes('é')] };
      const text = volumeOf((docs) => docs.readLine(line, () => [block]));
      expect(volumeOf((docs) => docs.readLine(line, () => [], coded))).toEqual(text);
    }),
  );
});
