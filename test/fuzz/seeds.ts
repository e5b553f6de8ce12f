import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import type { Random } from '../../bench/generate/random.ts';
import { demoFiles } from '../../src/demo/index.ts';
import { History, type Logs } from '../../src/history/index.ts';
import { projects } from '../kit/random-project.ts';
import { bytesOf } from '../kit/transcript.ts';

/** Files of one agent in one project folder, by their paths in it: what is mutated. */
export interface Seed {
  readonly agent: Agent;
  readonly files: readonly SeedFile[];
}

export type Agent = 'claude-code' | 'pi';

interface SeedFile {
  readonly path: string;
  bytes(): Uint8Array;
}

/** Real transcripts, read in place where there are any. */
const CORPUS = resolve('../shared/corpus');
const ROOTS = ['claude-code/projects', 'claude-code/cases', 'pi'].map((name) => join(CORPUS, name)).filter(existsSync);
const FIXTURES = resolve('test/fixtures');

/** The demo, the project's own fixtures and the corpus, each project folder once. */
export function fixedSeeds(): Seed[] {
  const fixtures = readdirSync(FIXTURES).map((name) => join(FIXTURES, name, 'session.jsonl'));
  const histories = [
    ...fixtures.map((path) => History.openFile(path)),
    ...ROOTS.map((root) => History.open({ roots: [root] })),
  ];
  const demo = demoFiles.map(({ path, text }) => ({ path, bytes: () => new TextEncoder().encode(text) }));
  return [
    { agent: 'claude-code', files: demo },
    ...histories.flatMap((history) => history.projects.flatMap((project) => project.logs.map(seedOf))),
  ];
}

const seedOf = ({ format, files }: Logs): Seed => ({
  agent: format.name as Agent,
  files: files.map(({ facts, path }) => ({
    path: facts.id.slice(facts.id.indexOf('/') + 1),
    bytes: () => readFileSync(path),
  })),
});

/** A small project in which few ids are used for everything. */
export function randomSeed(random: Random): Seed {
  const [project] = fc.sample(projects, { numRuns: 1, seed: random.below(2 ** 31) });
  if (!project) throw new Error('nothing was sampled');
  return {
    agent: project.format,
    files: Object.entries(project.files).map(([path, content]) => ({ path, bytes: () => bytesOf(content) })),
  };
}
