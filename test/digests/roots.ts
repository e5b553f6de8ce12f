import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { projects, type RandomProject } from '../kit/random-project.ts';
import { bytesOf } from '../kit/transcript.ts';

/** Logs of which everything that commands say is digested. */
export interface DigestedRoot {
  readonly name: string;
  readonly path: string;
}

const CORPUS = resolve('../shared/corpus');
const IN_CORPUS = ['claude-code/projects', 'claude-code/cases', 'pi'];

/** Those that lie beside the checkout; none where there is no corpus. */
export const corpusRoots = (): DigestedRoot[] =>
  IN_CORPUS.map((name) => ({ name, path: join(CORPUS, name) })).filter(({ path }) => existsSync(path));

const SEED = 7;
const PROJECTS = 60;

/** The same random projects every time, one root for each agent. */
export function randomRoots(folder: string): DigestedRoot[] {
  const sample = fc.sample(projects, { seed: SEED, numRuns: PROJECTS });
  return (['claude-code', 'pi'] as const).map((format) => {
    const path = join(folder, format, format === 'pi' ? 'sessions' : 'projects');
    mkdirSync(path, { recursive: true });
    for (const [i, project] of sample.entries()) if (project.format === format) write(project, join(path, `p${i}`), i);
    return { name: `random ${format}`, path };
  });
}

/** The newest project comes first in some answers: each has a time of its own. */
function write({ files }: RandomProject, folder: string, time: number): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytesOf(content));
    utimesSync(path, time, time);
  }
}
