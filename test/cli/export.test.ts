import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeProjects } from '../../bench/generate/index.ts';
import { exportProjects } from '../../src/cli/export/export-projects.ts';
import { PageFolder } from '../../src/cli/export/page-folder.ts';
import { History } from '../../src/history/index.ts';
import { type Home, openHome } from '../kit/home.ts';
import { tempFolder } from '../kit/temp.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

describe('skein export', () => {
  let home: Home;
  const lines = (id: string, cwd: string) => [
    user(`${id}1`, null, `prompt of ${id}`, { cwd, sessionId: id }),
    assistant(`${id}2`, `${id}1`, [{ type: 'text', text: 'answer' }, toolUse(`T${id}`, 'Bash', { command: 'ls' })], {
      cwd,
      sessionId: id,
    }),
    user(`${id}3`, `${id}2`, [toolResult(`T${id}`, 'a.txt')], { cwd, sessionId: id }),
  ];
  const file = (id: string, cwd: string) => `.claude/projects/-${cwd.slice(1)}/${id}.jsonl`;
  const exportAll = (...more: string[]) => home.skein(['export', '--all', '-o', 'out', ...more]).out.split('\n')[0];

  beforeAll(() => {
    home = openHome();
    for (const [id, cwd] of [
      ['s1', '/p'],
      ['s2', '/p'],
      ['s3', '/q'],
    ] as const)
      home.write(file(id, cwd), lines(id, cwd));
  });
  afterAll(() => home.remove());

  test('O15 writes a page per session and the lists, then only what changed', () => {
    expect(exportAll()).toBe('6 files written, 0 unchanged');
    expect(exportAll()).toBe('0 files written, 6 unchanged');
    const path = home.write(file('s3', '/q'), [
      ...lines('s3', '/q'),
      user('s34', 's33', 'one more', { cwd: '/q', sessionId: 's3' }),
    ]);
    const later = new Date(Date.now() + 5000);
    utimesSync(path, later, later);
    // The page, the list of its project (its number of records) and maybe the list of all.
    expect(exportAll()).toMatch(/^[23] files written, [34] unchanged$/);
    expect(readFileSync(join(home.path, 'out/-q/s3.html'), 'utf8')).toContain('one more');
    expect(exportAll()).toBe('0 files written, 6 unchanged');
  });

  test('O15 a page that somebody removed is written again, one of another form beside it', () => {
    writeFileSync(join(home.path, 'out/-p/s1.html'), '');
    expect(exportAll()).toBe('0 files written, 6 unchanged');
    expect(existsSync(join(home.path, 'out/.skein-export.json'))).toBe(true);
    expect(exportAll('--as', 'markdown')).toBe('6 files written, 0 unchanged');
    expect(exportAll()).toBe('0 files written, 6 unchanged');
  });

  test('O15 pages of sessions that are gone stay, and stay listed', () => {
    const path = join(home.path, file('s2', '/p'));
    const kept = readFileSync(path, 'utf8');
    rmSync(path);
    exportAll();
    expect(readFileSync(join(home.path, 'out/-p/index.html'), 'utf8')).toContain('s2.html');
    expect(existsSync(join(home.path, 'out/-p/s2.html'))).toBe(true);
    writeFileSync(path, kept);
  });

  test('O10, O16 every form has its lists, and they lead to what was written', () => {
    exportAll('--as', 'markdown');
    exportAll('--as', 'json');
    expect(readFileSync(join(home.path, 'out/index.md'), 'utf8')).toContain('[prompt of s1](-p/s1.md)');
    const { items, total } = JSON.parse(readFileSync(join(home.path, 'out/index.json'), 'utf8'));
    expect(total).toBe(3);
    expect(items.map((each: { file: string }) => existsSync(join(home.path, 'out', each.file)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test.each([
    ['a file with the usual ending', 'one/page.html', 'html', 'one/page.html'],
    ['a folder whose name is told to be one', 'two.html/', 'markdown', 'two.html/s1.md'],
    ['a folder', 'three', 'json', 'three/s1.json'],
  ])('O15 one session goes into %s', (_, output, form, written) => {
    const { out } = home.skein(['export', 's1', '-o', output, '--as', form, '--redact']);
    expect(out.trim()).toBe(written);
    expect(readFileSync(join(home.path, written), 'utf8')).toContain('prompt of s1');
    expect(existsSync(join(home.path, dirname(written), 'redaction.json'))).toBe(true);
  });

  test.each([
    ['html', 'four.html', '<!doctype html>'],
    ['markdown', 'four.md', '# Session: prompt of s1'],
    ['json', 'four.json', '{"session_id":"s1"'],
  ])('P3 the ending of a file tells that it is %s', (_, file, begins) => {
    expect(home.skein(['export', 's1', '-o', file]).out.trim()).toBe(file);
    expect(readFileSync(join(home.path, file), 'utf8').startsWith(begins)).toBe(true);
  });

  test.each([
    [['five.pdf'], '.html, .md or .json'],
    [['five.html', '--as', 'markdown'], '.md (--as markdown)'],
  ])('P3 a file with another ending is refused: %j', ([file = '', ...more], endings) => {
    expect(home.skein(['export', 's1', '-o', file, ...more])).toEqual({
      out: '',
      err: `skein: A file to write ends in ${endings}; to make it a folder: -o ${file}/\n`,
      code: 2,
    });
    expect(existsSync(join(home.path, file))).toBe(false);
  });

  test('O15 a folder whose name looks like that of a page stays a folder', () => {
    mkdirSync(join(home.path, 'there.html'));
    expect(home.skein(['export', 's1', '-o', 'there.html']).out.trim()).toBe('there.html/s1.html');
  });

  test('O10 the list of all holds every session, older ones to be found, and says what they took', () => {
    const day = (i: number) => `2026-02-${String(i + 1).padStart(2, '0')}T10:00:00.000Z`;
    for (let i = 0; i < 14; i++)
      home.write(`many/projects/-m/m${i}.jsonl`, [
        user(`m${i}u`, null, `prompt ${i}.`, { cwd: '/m', timestamp: day(i) }),
        assistant(`m${i}a`, `m${i}u`, 'answer', {
          timestamp: day(i),
          usage: { input_tokens: 1000, output_tokens: 2000 },
        }),
      ]);
    const prices = home.write('prices.json', '{"models":{"claude-x":{"input":1,"output":2}}}');
    home.skein(['export', '--all', '-o', 'many/out', '--root', join(home.path, 'many'), '--prices', prices]);
    const html = readFileSync(join(home.path, 'many/out/index.html'), 'utf8');
    const [newest, older] = html.split('<section class="group" data-h hidden><h2>Older sessions</h2>');
    expect([newest?.includes('prompt 2.'), newest?.includes('prompt 1.'), older?.includes('prompt 1.')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(html).toContain('1 project · 14 sessions · 42k tokens · $0.07</p>');
    expect(html).toContain('<span>14 sessions</span> <span>42k tokens</span> <span>$0.07</span>');
    expect(readFileSync(join(home.path, 'many/out/-m/index.html'), 'utf8')).toContain(
      '14 sessions · 42k tokens · $0.07',
    );
  });

  test('nothing is told of progress where nobody looks', () => {
    expect(home.skein(['export', '--all', '-o', 'quiet']).err).toBe('');
  });

  test('a page is whole or not there', () => {
    const files = readdirSync(join(home.path, 'out'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(statSync(join(home.path, 'out/index.html')).size).toBeGreaterThan(1000);
  });

  test('O16 markdown and JSON carry what the outline carries', () => {
    home.skein(['export', 's1', '-o', 'md', '--as', 'markdown']);
    const markdown = readFileSync(join(home.path, 'md/s1.md'), 'utf8');
    // The project, the model, the cost and the id of the session.
    expect(markdown).toMatch(/^\/p · .* tokens · \S+ · s1$/m);
    expect(markdown.replace(/ · .*/g, '')).toBe(
      '# Session: prompt of s1\n\n/p\n\n## User\n\nprompt of s1\n\n### Assistant\n\nanswer\n\n#### Tool: Bash\n\n```bash\nls\n```\n\n```\na.txt\n```\n\n',
    );
    home.skein(['export', 's1', '-o', 'json', '--as', 'json']);
    const { root } = JSON.parse(readFileSync(join(home.path, 'json/s1.json'), 'utf8'));
    expect(root.children[0].children[0].children[0]).toMatchObject({
      id: 's12_tool_0',
      type: 'tool',
      level: 3,
      ancestry: ['session-s1', 's11', 's12'],
      record_uuid: 's12',
      name: 'Bash',
      tool_use_id: 'Ts1',
      input: { command: 'ls' },
      is_error: false,
      children: [],
    });
  });
});

describe('O15 threads', () => {
  const style = { form: 'html', verbose: false, pricesStamp: '' } as const;
  const run = (root: string, folder: string, workers: number) =>
    exportProjects(History.open({ roots: [root] }).projects, new PageFolder(folder), {
      roots: { root: [root] },
      style,
      pricesFile: undefined,
      workers,
    });
  const read = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html'))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

  test('write what one thread writes, also where several share a project', async () => {
    const folder = tempFolder();
    const root = join(folder, 'projects');
    writeProjects(root, { bytes: 24e6, seed: 3 });
    // One project that is worth sharing.
    for (const project of readdirSync(root).slice(1))
      cpSync(join(root, project), join(root, readdirSync(root)[0] ?? ''), { recursive: true });
    const alone = await run(root, join(folder, 'alone'), 1);
    const shared = await run(root, join(folder, 'shared'), 3);
    expect(shared).toEqual(alone);
    expect(alone.written).toBeGreaterThan(10);
    expect(read(join(folder, 'shared'))).toEqual(read(join(folder, 'alone')));
    expect(await run(root, join(folder, 'shared'), 3)).toEqual({ written: 0, kept: alone.written, problems: [] });
  }, 60_000);

  test('that cannot write say what is wrong in one line', async () => {
    const folder = tempFolder();
    const root = join(folder, 'projects');
    writeProjects(root, { bytes: 1e6 });
    writeFileSync(join(folder, 'file'), '');
    await expect(run(root, join(folder, 'file'), 2)).rejects.toMatchObject({
      code: 'unwritable',
      message: expect.stringMatching(/cannot be written \(E[A-Z]+\)$/),
    });
  });
});
