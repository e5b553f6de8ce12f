import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/index.ts';
import { indexProjects, sourcesOf } from '../../src/ingest/index-projects.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import { buildMessages, validateMessages } from '../../src/messages/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import type { Sketch } from '../../src/tree/index.ts';
import { openHome } from '../kit/home.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { projects } from '../kit/random-project.ts';
import { assistant, toolUse, user } from '../kit/transcript.ts';

/** What the rules say of the messages as they are extracted, and the tree of its lines. */
function checked(history: History): Record<string, number> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const project of history.projects) {
    for (const logs of project.logs) for (const { severity } of logs.read().tree.findings()) counts[severity]++;
    for (const session of project.sessions()) {
      const { tree } = session.logs.read();
      const { roots, subagents } = session.facts;
      const { items } = buildMessages(
        tree,
        session.id,
        (record) => session.content(record),
        () => null,
      );
      const named = new Map([...tree.sketches(session.id)].map((sketch) => [sketch.id, parentIn(sketch)]));
      const messages = items.map((item) => ({ ...item, parentUuid: named.get(item.uuid) ?? item.parentUuid }));
      const starters = new Set([...roots, ...subagents.flatMap((each) => each.roots)]);
      for (const { rule, severity } of validateMessages(messages, starters)) {
        expect(BROKEN_BY_LOGS).toContain(rule);
        counts[severity]++;
      }
    }
  }
  return counts;
}

/** As its line says it: on a circle it is its own. */
const parentIn = ({ id, parent, missing, isCut }: Sketch): string | null => (isCut ? id : (parent ?? missing));

const ORPHAN = {
  'claude-code': { type: 'user', uuid: 'new', parentUuid: 'nowhere', message: { content: 'x' } },
  pi: { type: 'message', id: 'new', parentId: 'nowhere', message: { role: 'user', content: 'x' } },
};

/** Extraction makes messages that keep the others: v3, v5 and c2. */
const BROKEN_BY_LOGS = ['v1', 'v2', 'v4', 'c1', 'c3', 'c4'].map((rule) => `M5.${rule}`);

test('M5 the rules run at ingest: they find what `check` finds, also in trees that grow line by line', async () => {
  await fc.assert(
    fc.asyncProperty(projects, async (project) => {
      const folder = new IndexFolder(project.format === 'pi' ? 'sessions' : 'projects');
      folder.write('p', project.files);
      const store = SqliteIndex.open(folder.db());
      await indexProjects(folder.history(), store, { workers: 0 });
      expect(await store.findings()).toEqual(checked(folder.history()));
      const grown = Object.keys(project.files).find((name) => name.endsWith('.jsonl')) ?? 's1.jsonl';
      folder.append(`p/${grown}`, `not JSON\n${JSON.stringify(ORPHAN[project.format])}\n`);
      const live = new LiveIndex(store);
      for (const source of sourcesOf(folder.history())) await live.update(source);
      await live.release();
      expect(live.heldTrees).toBe(0);
      expect(await store.findings()).toEqual(checked(folder.history()));
      await store.close();
      folder.remove();
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 40) },
  );
});

const corpus = join(import.meta.dirname, '../../../shared/corpus/claude-code');

test.skipIf(!existsSync(corpus))('M8 status says the findings of the last index, its size, and when that was', () => {
  const home = openHome();
  const status = () => JSON.parse(home.skein(['status', '--json']).out);
  expect(status()).toMatchObject({ findings: null, index: { size: 0 } });
  home.write('.claude/projects/-r/s1.jsonl', [
    user('u1', null, 'One', { cwd: '/r' }),
    assistant('a1', 'u1', [toolUse('T', 'Bash', { command: 'ls' })]),
  ]);
  home.skein(['index']);
  expect(status().findings).toEqual({ errors: 0, warnings: 0, notes: 1 });
  home.write('.claude/projects/-r/s2.jsonl', 'not JSON\n');
  home.skein(['index']);
  const { findings, index, archive } = status();
  expect(findings.warnings + findings.errors).toBeGreaterThan(0);
  expect(index.size).toBeGreaterThan(0);
  expect(archive.last_index).toMatch(/^20\d\d-/);
  const { out } = home.skein(['status']);
  expect(out).toMatch(/^Findings {5}\d+ errors?, \d+ warnings?, 1 note; "skein check" lists them$/m);
  expect(out).toMatch(/^Last index {3}20\d\d/m);
  home.remove();
});
