import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Exclude, nothingExcluded } from '../../src/ingest/exclude.ts';
import { findArchivable } from '../../src/ingest/find-archivable.ts';
import { projectsIn } from '../../src/ingest/projects-in.ts';
import { findProjects, openRoots, type ProjectFolder } from '../../src/sources/index.ts';
import { Place } from './kit.ts';

const line = (session: string, cwd: string): string =>
  `${JSON.stringify({ type: 'user', uuid: `${session}-1`, parentUuid: null, sessionId: session, cwd, timestamp: '2026-01-01T00:00:00.000Z', message: { role: 'user', content: 'hello' } })}\n`;

/** Two projects with what lies beside their logs, an empty one, a link inside and one that leads out. */
function projects(): Place {
  const place = new Place();
  place.write('-home-b/z.jsonl', line('z', '/home/b'));
  place.write('-home-b/a.jsonl', '');
  place.write('-home-b/z/subagents/agent-1.jsonl', line('z', '/home/b/elsewhere'));
  place.write('-home-b/z/tool-results/1.txt', 'not a log');
  place.write('-home-a/s.jsonl', line('s', '/home/a'));
  place.write('-home-c/notes.md', 'no log at all');
  symlinkSync(join(place.root, '-home-a'), join(place.root, '-home-again'));
  mkdirSync(join(place.folder, 'out'));
  symlinkSync(join(place.folder, 'out'), join(place.root, '-home-out'));
  return place;
}

const found = (roots: string[], exclude: Exclude = nothingExcluded): readonly ProjectFolder[] | null =>
  projectsIn(findArchivable(openRoots(roots), exclude, []));

test('M9 what was looked at for the archive need not be looked for again: its projects are those that are found', () => {
  const { root, folder } = projects();
  for (const roots of [[root], [folder], [join(root, '-home-b')]]) {
    const walked = findProjects(openRoots(roots).roots, []);
    expect(walked.length).toBeGreaterThan(0);
    expect(found(roots), roots.join()).toEqual(walked);
  }
});

test('M9 where something is left out of the archive, projects are looked for again: it may have told the working folder', () => {
  const { root } = projects();
  expect(found([root], [/home-a/])).toBeNull();
  expect(found([root], [/nowhere/])).not.toBeNull();
  // One root in another one: what lies there is found twice.
  expect(found([root, join(root, '-home-b')])).toBeNull();
});
