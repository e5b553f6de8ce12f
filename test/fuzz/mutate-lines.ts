import type { Random } from '../../bench/generate/random.ts';
import type { Draft, DraftFile } from './draft.ts';

/** Changes a draft in one place. */
export type Mutation = (draft: Draft, random: Random) => void;

/** With a file that has lines; nothing is done where there is none. */
const inFile =
  (change: (file: DraftFile, at: number, random: Random, draft: Draft) => void): Mutation =>
  (draft, random) => {
    const files = draft.files.filter(({ lines }) => lines.length > 0);
    if (files.length === 0) return;
    const file = random.pick(files);
    change(file, random.below(file.lines.length), random, draft);
  };

const lineAt = ({ lines }: DraftFile, at: number): Buffer => lines[at] ?? Buffer.alloc(0);

const ODD = [
  '\n',
  '\r\n',
  '{',
  '}',
  '"',
  '\\',
  '\0',
  '\0\0\0',
  '\ufeff',
  '{}',
  '[]',
  'null',
  ',',
  ':',
  '\\ud800',
  '\\u0000',
  '\x1b',
  ' ',
];

const putBytes = (random: Random): Buffer =>
  random.chance(0.3)
    ? Buffer.from(Array.from({ length: random.between(1, 8) }, () => random.below(256)))
    : Buffer.from(random.pick(ODD));

/** Bytes are replaced, cut out and put in: what stands there need not be JSON any more, nor a line. */
const mutateBytes: Mutation = inFile((file, at, random) => {
  const line = lineAt(file, at);
  const place = random.below(line.length + 1);
  const cut = random.chance(0.5) ? 0 : random.below(12);
  file.lines[at] = Buffer.concat([line.subarray(0, place), putBytes(random), line.subarray(place + cut)]);
});

const flipBit: Mutation = inFile((file, at, random) => {
  const line = Buffer.from(lineAt(file, at));
  const place = random.below(Math.max(1, line.length));
  line[place] = (line[place] ?? 0) ^ (1 << random.below(8));
  file.lines[at] = line;
});

const tear: Mutation = inFile((file, at, random) => {
  file.lines[at] = lineAt(file, at).subarray(0, random.below(lineAt(file, at).length + 1));
  if (!random.chance(0.5)) return;
  file.lines.length = at + 1;
  file.torn = true;
});

const joinLines: Mutation = inFile((file, at) => {
  const [one, other] = file.lines.splice(at, 2);
  file.lines.splice(at, 0, Buffer.concat([one ?? Buffer.alloc(0), other ?? Buffer.alloc(0)]));
});

const repeat: Mutation = inFile((file, at, random) => {
  const many = Array.from({ length: random.between(1, 4) }, () => lineAt(file, at));
  file.lines.splice(random.below(file.lines.length + 1), 0, ...many);
});

const drop: Mutation = inFile((file, at, random) => void file.lines.splice(at, random.between(1, 3)));

const move: Mutation = inFile((file, at, random) => {
  const [line] = file.lines.splice(at, 1);
  if (line) file.lines.splice(random.below(file.lines.length + 1), 0, line);
});

const reverse: Mutation = inFile((file) => void file.lines.reverse());
const shuffle: Mutation = inFile((file, _at, random) => void random.shuffle(file.lines));

/** Another file of the project has the line too, or instead. */
const carryOver: Mutation = inFile((file, at, random, { files }) => {
  const length = random.between(1, 10);
  const lines = random.chance(0.5) ? file.lines.slice(at, at + length) : file.lines.splice(at, length);
  const other = random.pick(files);
  other.lines.splice(random.below(other.lines.length + 1), 0, ...lines);
});

const endOfLines: Mutation = inFile((file, _at, random) => {
  const more = random.pick(['\r', ' ', '\t \r', '\0']);
  file.lines = file.lines.map((line) => Buffer.concat([line, Buffer.from(more)]));
});

const blanks: Mutation = inFile(
  (file, at, random) =>
    void file.lines.splice(
      at,
      0,
      ...Array.from({ length: 3 }, () => Buffer.from(random.pick(['', ' ', '\t', '\r', '\v\f']))),
    ),
);

export const lineMutations: readonly Mutation[] = [
  mutateBytes,
  flipBit,
  tear,
  joinLines,
  repeat,
  drop,
  move,
  reverse,
  shuffle,
  carryOver,
  endOfLines,
  blanks,
];
