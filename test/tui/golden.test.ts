import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { widthOf } from '../../src/views/text/width.ts';
import { openScreen, pressAll, shot } from '../kit/screen.ts';
import { tempFolder } from '../kit/temp.ts';
import { assistant, bytesOf, user } from '../kit/transcript.ts';

// The screens hold times of the day.
process.env.TZ = 'UTC';

const fixture = (name: string): string => join(import.meta.dirname, '../fixtures', name, 'session.jsonl');

/** Each is a file of `golden/`; `vitest -u` writes them anew. */
const cases: readonly { name: string; of: string; keys: readonly string[]; columns: number; rows: number }[] = [
  { name: 'claude-80x24', of: 'claude-tools', keys: [], columns: 80, rows: 24 },
  { name: 'claude-200x50', of: 'claude-tools', keys: ['home'], columns: 200, rows: 50 },
  { name: 'claude-40x10', of: 'claude-tools', keys: ['pageup'], columns: 40, rows: 10 },
  { name: 'claude-20x5', of: 'claude-tools', keys: [], columns: 20, rows: 5 },
  { name: 'claude-no-tools', of: 'claude-tools', keys: ['ctrl-o'], columns: 80, rows: 12 },
  { name: 'claude-user-only', of: 'claude-tools', keys: ['ctrl-o', 'ctrl-o'], columns: 80, rows: 12 },
  { name: 'claude-nothing-labelled', of: 'claude-tools', keys: ['ctrl-o', 'ctrl-o', 'ctrl-o'], columns: 80, rows: 8 },
  { name: 'claude-search', of: 'claude-tools', keys: ['/', 'tax rate'], columns: 80, rows: 16 },
  { name: 'claude-search-nothing', of: 'claude-tools', keys: ['zebra'], columns: 80, rows: 8 },
  { name: 'claude-folded', of: 'claude-tools', keys: ['left', 'left'], columns: 80, rows: 18 },
  { name: 'pi-80x24', of: 'pi-branches', keys: [], columns: 80, rows: 24 },
  { name: 'pi-all', of: 'pi-branches', keys: ['ctrl-o', 'ctrl-o', 'ctrl-o', 'ctrl-o'], columns: 80, rows: 30 },
  { name: 'pi-label-question', of: 'pi-branches', keys: ['up', 'L', 'after all'], columns: 80, rows: 10 },
  { name: 'pi-branch-question', of: 'pi-branches', keys: ['b'], columns: 80, rows: 10 },
];

describe('J19 golden screens', () => {
  test.each(cases)('$name', async ({ name, of, keys, columns, rows }) => {
    const screen = openScreen(fixture(of));
    pressAll(screen, ...keys);
    const seen = shot(screen, columns, rows);
    expect(seen.split('\n').length - 1).toBe(rows);
    await expect(seen).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `${name}.txt`));
  });

  test('J18 wide characters, escapes, and marks that turn the writing stay in their line', async () => {
    const file = join(tempFolder(), 'hostile.jsonl');
    const lines = [
      user('u1', null, '日本語のテキスト '.repeat(10)),
      assistant('a1', 'u1', '👩‍👩‍👧 family 👍🏽 thumbs e\u0301 '.repeat(6)),
      user('u2', 'a1', '\u001b[2J\u001b]0;owned\u0007\u202eright to left\u0000\rback\u0008\u009b31m and\ttabs\nlines'),
      assistant('a2', 'u2', [{ type: 'tool_use', id: 't', name: '\u001b[31mevil\n', input: { '\u0007': '\u001b[H' } }]),
      user('u3', 'a1', '全角\u200b\u3000幅'.repeat(30)),
    ];
    writeFileSync(file, bytesOf(lines));
    const labels = new Map([['u2', { text: '\u001b[5mlabel\n', time: 0 }]]);
    const screen = openScreen(file, labels);
    for (const columns of [80, 40, 23, 12, 3, 1]) {
      const seen = shot(screen, columns, 14);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
      expect(seen).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(Math.max(...seen.split('\n').map(widthOf))).toBeLessThan(Math.max(2, columns));
    }
    await expect(shot(screen, 60, 12)).toMatchFileSnapshot(join(import.meta.dirname, 'golden', 'hostile.txt'));
  });

  test.each([1, 2, 3, 4, 6])('J18 a terminal of %i rows shows the selected row', (rows) => {
    const seen = shot(openScreen(fixture('pi-branches')), 60, rows);
    expect(seen.split('\n').slice(0, -1)).toHaveLength(rows);
    expect(seen).toContain('❯');
  });
});
