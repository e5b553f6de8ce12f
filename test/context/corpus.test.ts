import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { buildContext, type ContextView, sumTokens, updateContext } from '../../src/context/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { contentFrom } from '../kit/content.ts';
import { type Files, factsOf, linesOf } from '../kit/transcript.ts';

const CORPUS = resolve('../shared/corpus/claude-code/projects');
const projects = existsSync(CORPUS) ? readdirSync(CORPUS) : [];

function filesOf(project: string): Files {
  const paths = readdirSync(join(CORPUS, project), { recursive: true, encoding: 'utf8' }).sort();
  const logs = paths.filter((path) => claudeCode.roleOf(path) !== null && /\.jsonl$/.test(path));
  return Object.fromEntries(logs.map((path) => [path, readFileSync(join(CORPUS, project, path), 'utf8')]));
}

test.skipIf(projects.length === 0)('C18 real sessions, read line by line', () => {
  for (const project of projects) expectLaw(project);
});

function expectLaw(project: string): void {
  const files = filesOf(project);
  const content = contentFrom(claudeCode, files);
  const tree = new Tree();
  const views = new Map<string, ContextView>();
  for (const [path, text] of Object.entries(files)) {
    const facts = factsOf(claudeCode, path);
    for (const line of linesOf(claudeCode, path, text)) {
      const change = tree.add(facts, [line]);
      for (const [key, view] of views) views.set(key, updateContext(view, tree, change, content));
      for (const id of change.sessions)
        for (const { id: thread } of tree.sessionIds().includes(id) ? tree.session(id).threads : [])
          if (!views.has(`${id} ${thread}`)) views.set(`${id} ${thread}`, buildContext(tree, id, thread, content));
    }
  }
  for (const view of views.values()) {
    expect(view).toEqual(buildContext(tree, view.session, view.thread, content));
    for (const phase of view.phases) expectSums(view, phase);
  }
}

/** What came in and what was said is what is in the window at the end of the phase. */
function expectSums(view: ContextView, { number, rest, total }: ContextView['phases'][number]): void {
  const responses = view.responses.filter(({ phase }) => phase === number);
  const parts = [...responses.flatMap(({ added, answer }) => [...added, ...answer]), ...rest];
  expect(sumTokens(total)).toBe(parts.reduce((sum, { tokens }) => sum + tokens, 0));
}
