import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { hasTmux, openTerminal } from '../kit/tmux.ts';
import { user } from '../kit/transcript.ts';

let home: Home;
let log = '';
beforeAll(() => {
  home = openHome();
  log = home.write('.claude/projects/-r/aaaa1111.jsonl', [
    user('u1', null, 'Fix the clock', { timestamp: '2026-03-01T10:00:00.000Z' }),
  ]);
  home.write('.claude/projects/-r/bbbb2222.jsonl', [user('u2', null, 'Another')]);
  home.skein(['index']);
});
afterAll(() => home.remove());

describe.skipIf(!hasTmux)('M8 skein forget on a terminal', () => {
  test('M8 says which session it is before it asks', async () => {
    const terminal = openTerminal([process.execPath, BIN, 'forget', 'aaaa'], { cwd: home.path, env: home.env });
    const screen = await terminal.shows(/\[y\/N\]/);
    terminal.close();
    expect(screen).toBe('  2026-03-01 10:00  aaaa1111  Fix the clock\nForget 1 file (0.2 KB) for good? [y/N]');
  });
});

test('M8 says what is still listed, because the agent has it on disk', () => {
  expect(home.skein(['forget', 'aaaa', '--yes'])).toEqual({
    out: '1 file (0.2 KB) forgotten\n',
    err: `skein: still on disk at ${log}, and listed until it is deleted there\n`,
    code: 0,
  });
  expect(home.skein(['sessions']).out).toContain('Fix the clock');
  rmSync(log);
  expect(home.skein(['sessions']).out).not.toContain('Fix the clock');
});
