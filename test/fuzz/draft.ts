import type { Random } from '../../bench/generate/random.ts';
import type { Agent, Seed } from './seeds.ts';

/** What is mutated: lines without their newlines. */
export interface Draft {
  readonly files: DraftFile[];
}

export interface DraftFile {
  agent: Agent;
  /** Of the project, and the path below it. */
  folder: string;
  path: string;
  lines: Buffer[];
  /** No newline after the last line. */
  torn: boolean;
}

const MOST_FILES = 4;
const MOST_LINES = 60;
const LONGEST = 200_000;

/** Some files of a seed, of a long one a part. */
export function draftOf(seed: Seed, random: Random): Draft {
  const first = random.below(seed.files.length);
  const stem = seed.files[first]?.path.replace(/\.jsonl$/, '').split('/')[0] ?? '';
  // What belongs to a session comes with it, as far as there is room.
  const [own, others] = [true, false].map((wanted) =>
    seed.files.filter(({ path }) => path.startsWith(stem) === wanted),
  );
  const chosen = [...(own ?? []), ...random.shuffle([...(others ?? [])])].slice(0, random.between(1, MOST_FILES));
  return {
    files: chosen.map(({ path, bytes }) => ({
      agent: seed.agent,
      folder: '-p',
      path,
      lines: somePart(linesIn(Buffer.from(bytes())), random),
      torn: false,
    })),
  };
}

function somePart(lines: Buffer[], random: Random): Buffer[] {
  const length = random.chance(0.05) ? lines.length : random.between(1, MOST_LINES);
  const from = random.chance(0.5) ? 0 : random.below(Math.max(1, lines.length - length));
  return lines.slice(from, from + length).filter((line) => line.length < LONGEST);
}

export function linesIn(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
}

export const bytesIn = ({ lines, torn }: DraftFile): Buffer =>
  Buffer.concat(lines.flatMap((line, i) => (torn && i === lines.length - 1 ? [line] : [line, NEWLINE])));

const NEWLINE = Buffer.from('\n');
