import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exportProjects } from '../../src/cli/export/export-projects.ts';
import { ExportRun } from '../../src/cli/export/export-run.ts';
import type { Form } from '../../src/cli/export/forms.ts';
import { PageFolder } from '../../src/cli/export/page-folder.ts';
import { planPages } from '../../src/cli/export/plan-pages.ts';
import { writeLists } from '../../src/cli/export/write-lists.ts';
import { History } from '../../src/history/index.ts';
import { tempFolder } from '../kit/temp.ts';
import { bytesOf, user } from '../kit/transcript.ts';

const FORMS: readonly [Form, string][] = [
  ['html', 'html'],
  ['markdown', 'md'],
  ['json', 'json'],
];

interface Place {
  readonly root: string;
  readonly pages: string;
}

/** One project with these sessions. */
function placeWith(...ids: readonly string[]): Place {
  const folder = tempFolder();
  const place = { root: join(folder, 'projects'), pages: join(folder, 'pages') };
  for (const id of ids) write(place, id);
  return place;
}

function write({ root }: Place, id: string): void {
  const path = join(root, '-p', `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytesOf([user(`${id}-1`, null, `prompt of ${id}`, { sessionId: id, cwd: '/p' })]));
}

const styleOf = (form: Form) => ({ form, verbose: false, pricesStamp: '' });

/** `between`: what happens after the logs were listed. */
async function exportAll({ root, pages }: Place, form: Form, between = (): void => undefined, mirror = false) {
  const roots = { root: [root] };
  const { projects } = History.open({ roots: roots.root });
  between();
  const target = new PageFolder(pages);
  const done = await exportProjects(projects, target, { roots, style: styleOf(form), pricesFile: undefined, mirror });
  writeLists(target, form);
  target.save();
  return done;
}

const read = ({ pages }: Place, name: string): string => readFileSync(join(pages, '-p', name), 'utf8');

test.each(FORMS)('attack A5 a session that could not be read is exported the next time: %s', async (form, ending) => {
  const place = placeWith('s1', 's2');
  const log = join(place.root, '-p/s2.jsonl');
  const { problems } = await exportAll(place, form, () => renameSync(log, `${log}.away`));
  renameSync(`${log}.away`, log);
  const again = await exportAll(place, form);
  const { written, kept } = await exportAll(place, form);
  expect({ problems, again, kept, written, page: read(place, `s2.${ending}`) }).toEqual({
    problems: [`${log} does not exist; it is left out`],
    again: { written: 1, kept: 1, problems: [] },
    kept: 2,
    written: 0,
    page: expect.stringContaining('prompt of s2'),
  });
});

test.each(FORMS)('attack A5 lists say what is missing, as long as it is: %s', async (form, ending) => {
  const place = placeWith('s1', 's2');
  const log = join(place.root, '-p/s2.jsonl');
  const lists = () => [read(place, `index.${ending}`), read(place, `../index.${ending}`)];
  const tells = () => lists().map((list) => list.includes('s2.jsonl does not exist'));
  await exportAll(place, form, () => renameSync(log, `${log}.away`));
  const before = tells();
  renameSync(`${log}.away`, log);
  await exportAll(place, form);
  expect([before, tells()]).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('attack A5 pages at home of a session that cannot be read just now stay', async () => {
  const place = placeWith('s1', 's2');
  await exportAll(place, 'html', undefined, true);
  write(place, 's3');
  const log = join(place.root, '-p/s2.jsonl');
  await exportAll(place, 'html', () => renameSync(log, `${log}.away`), true);
  expect(readdirSync(join(place.pages, '-p')).sort()).toEqual(['index.html', 's1.html', 's2.html', 's3.html']);
});

test('attack A5 a project of which a page failed is not taken for complete', () => {
  const place = placeWith('s1');
  const { projects } = History.open({ roots: [place.root] });
  const target = new PageFolder(place.pages);
  const options = { style: styleOf('html') };
  const plans = planPages(projects, target, { ...options, redactor: null, omit: new Set() });
  const [plan] = plans;
  if (!plan) throw new Error('no project');
  const run = new ExportRun(target, options, { allFiles: 1, allBytes: 1 }, [{ plan }]);
  run.take(plan, { problem: 'The page of s1 could not be made', page: 's1.html' });
  run.end(plan);
  target.save();
  const [next] = planPages(projects, new PageFolder(place.pages), { ...options, redactor: null, omit: new Set() });
  expect(next?.current).toBe(null);
});

test.each(FORMS)('attack A6 a session called index has a page beside the list: %s', async (form, ending) => {
  const place = placeWith('index', 'other');
  await exportAll(place, form);
  const pages = readdirSync(join(place.pages, '-p')).sort();
  const own = pages.find((name) => name.startsWith('index-')) ?? '';
  expect({ pages, page: read(place, own), list: read(place, `index.${ending}`) }).toEqual({
    pages: [own, `index.${ending}`, `other.${ending}`],
    page: expect.stringContaining('prompt of index'),
    list: expect.stringContaining(own),
  });
});

test('attack A6 ids that differ only in case have pages that differ in more', async () => {
  const place = placeWith('abc', 'ABC', 'Other');
  await exportAll(place, 'html');
  const names = readdirSync(join(place.pages, '-p'));
  expect({ names: names.length, distinct: new Set(names.map((name) => name.toLowerCase())).size, kept: names }).toEqual(
    {
      names: 4,
      distinct: 4,
      kept: expect.arrayContaining(['abc.html', 'Other.html']),
    },
  );
});

test('attack A6 a page that has another name now is not listed twice', async () => {
  const place = placeWith('ABC');
  await exportAll(place, 'html');
  write(place, 'abc');
  await exportAll(place, 'html');
  const { items } = { items: [...(new PageFolder(place.pages).projects.get('-p')?.pages.values() ?? [])] };
  expect(items.map(({ session }) => session).sort()).toEqual(['ABC', 'abc']);
});

test.each(['con', 'AUX', 'nul.x', 'com1', 'redaction'])('attack A6 no page is called %s', async (id) => {
  const place = placeWith(id);
  await exportAll(place, 'json');
  expect(existsSync(join(place.pages, '-p', `${id}.json`))).toBe(false);
});
