import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { History, listSessions } from '../../src/history/index.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';
import { Place } from './kit.ts';

const CORPUS = join(import.meta.dirname, '../../../shared/corpus/claude-code/projects');
const text = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Everything the lists and the text say, without what only tells where project and files lie. */
function said(history: History): unknown {
  return history.projects
    .map((project) => ({ ...project, id: project.id, path: project.path, names: project.names, logs: undefined }))
    .concat(listSessions(history) as never)
    .map((each) => JSON.parse(JSON.stringify({ ...each, archived: undefined })))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

test.skipIf(!existsSync(CORPUS))(
  'M7 what is gone from disk is listed from the archive as it was: ids, titles, sums',
  async () => {
    const place = new Place();
    cpSync(CORPUS, place.root, { recursive: true });
    await place.index();
    const before = said(History.open({ roots: [place.root] }));
    for (const [i, name] of readdirSync(place.root).entries()) {
      if (i % 3 === 0) rmSync(join(place.root, name), { recursive: true });
      else
        for (const log of readdirSync(join(place.root, name)).filter((_, j) => j % 2 === i % 2))
          rmSync(join(place.root, name, log), { recursive: true });
    }
    await place.with(async (archive) => {
      expect(said(History.open({ roots: [place.root], archive }))).toEqual(before);
      rmSync(place.root, { recursive: true });
      expect(said(History.open({ roots: [place.root], archive }))).toEqual(before);
      expect(said(History.ofArchive(archive))).toEqual(before);
      expect(History.open({ roots: [join(place.folder, 'elsewhere')], archive }).projects).toEqual([]);
    });
  },
);

test('M7 sessions, show, stats and check answer from the archive when the files are gone', async () => {
  const place = new Place();
  place.write(
    '-r/aaaa1111.jsonl',
    text([
      user('u1', null, 'What happened?', { cwd: '/r' }),
      assistant('a1', 'u1', [toolUse('T')]),
      user('r1', 'a1', [toolResult('T')]),
    ]),
  );
  place.write('-r/bbbb2222.jsonl', text([user('v1', null, 'Still here', { cwd: '/r' })]));
  await place.index();
  const commands = [
    ['sessions', '--json'],
    ['projects'],
    ['stats'],
    ['show', 'aaaa'],
    ['show', 'aaaa', '--as', 'json'],
    ['check', '--json'],
  ];
  const all = () =>
    commands.map((args) => {
      const { out, ...rest } = place.skein(...args, '--root', place.root);
      return { out: out.replace('"archived":true,', ''), ...rest };
    });
  const before = all();
  expect(before.every(({ code }) => code === 0)).toBe(true);
  rmSync(join(place.root, '-r/aaaa1111.jsonl'));
  expect(all()).toEqual(before);
  expect(place.skein('sessions', '--root', place.root).out).toContain('(archived) What happened?');
  const path = join(place.root, '-r/aaaa1111.jsonl');
  expect(place.skein('show', path, '--root', place.root).out).toBe(
    place.skein('show', 'aaaa', '--root', place.root).out,
  );
  expect(place.skein('resume', 'aaaa', '--root', place.root)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is gone. First write it back: skein restore aaaa1111 '),
  });
  expect(place.skein('show', 'aaaa', '--follow', '--root', place.root)).toMatchObject({
    code: 2,
    err: expect.stringContaining('gone'),
  });
});

test('M7 a long tool result that is gone too comes from the archive', async () => {
  const place = new Place();
  const offloaded =
    '<persisted-output>\nOutput too large (1KB). Full output saved to: /x/-r/aaaa1111/tool-results/T.txt\n\nPreview (first 2KB):\nbegin\n</persisted-output>';
  place.write(
    '-r/aaaa1111.jsonl',
    text([
      user('u1', null, 'go', { cwd: '/r' }),
      assistant('a1', 'u1', [toolUse('T')]),
      user('r1', 'a1', [toolResult('T', offloaded)]),
    ]),
  );
  place.write('-r/aaaa1111/tool-results/T.txt', 'THE WHOLE OUTPUT');
  await place.index();
  const show = () => place.skein('show', 'aaaa', '--verbose', '--root', place.root).out;
  const before = show();
  expect(before).toContain('THE WHOLE OUTPUT');
  rmSync(place.root, { recursive: true });
  expect(show()).toBe(before);
});
