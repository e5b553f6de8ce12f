import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
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

  test('a page is whole or not there', () => {
    const files = readdirSync(join(home.path, 'out'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(statSync(join(home.path, 'out/index.html')).size).toBeGreaterThan(1000);
  });

  test('O16 markdown and JSON carry what the outline carries', () => {
    home.skein(['export', 's1', '-o', 'md', '--as', 'markdown']);
    expect(readFileSync(join(home.path, 'md/s1.md'), 'utf8').replace(/ · .*/g, '')).toBe(
      '# Session: prompt of s1\n\n## User\n\nprompt of s1\n\n### Assistant\n\nanswer\n\n#### Tool: Bash\n\n```bash\nls\n```\n\n```\na.txt\n```\n\n',
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
