import type { Random } from '../../bench/generate/random.ts';
import type { Draft, DraftFile } from './draft.ts';
import type { Mutation } from './mutate-lines.ts';

const inAny =
  (change: (file: DraftFile, random: Random, draft: Draft) => void): Mutation =>
  (draft, random) => {
    if (draft.files.length > 0) change(random.pick(draft.files), random, draft);
  };

/** Names as people and other programs make them, and as nobody should. */
const NAMES = [
  'index',
  'a b',
  'ü',
  '__proto__',
  'x\x1b[31m',
  '<img src=x onerror=hit(0)>',
  '-rf',
  '%00',
  'agent-',
  'agent-x',
  'con',
  '..',
  'a#b?c',
  '"',
  "'",
  'A',
  'a',
];

const nameOf = (file: DraftFile, random: Random): string => {
  const stems = [...NAMES, random.uuid(), file.path.replace(/\.jsonl$/, '')];
  const stem = random.pick(stems);
  const layouts = [
    `${stem}.jsonl`,
    `agent-${stem}.jsonl`,
    `${stem}/subagents/agent-${random.pick(stems)}.jsonl`,
    `${stem}/subagents/workflows/${stem}/agent-a.jsonl`,
    `sub/${stem}.jsonl`,
  ];
  return random.pick(layouts);
};

const rename = inAny((file, random) => {
  file.path = nameOf(file, random);
});

const moveFolder = inAny((file, random) => {
  file.folder = random.pick(['-p', '-q', '-home-ü', '__proto__', '-p<script>', '--p--', ' ']);
});

/** What a resumed or forked session looks like: other files have the same ids. */
const copy = inAny((file, random, { files }) => {
  const from = random.below(file.lines.length + 1);
  const lines = random.chance(0.5) ? [...file.lines] : file.lines.slice(0, from);
  files.push({ ...file, lines, path: nameOf(file, random) });
});

const split = inAny((file, random, { files }) => {
  const at = random.below(file.lines.length + 1);
  files.push({ ...file, lines: file.lines.splice(at), path: nameOf(file, random) });
});

const empty = inAny((file) => {
  file.lines = [];
});

/** The lines of one agent among the files of another. */
const switchAgent = inAny((file) => {
  file.agent = file.agent === 'pi' ? 'claude-code' : 'pi';
});

export const fileMutations: readonly Mutation[] = [rename, moveFolder, copy, copy, split, empty, switchAgent];
