import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { assistant, user } from '../kit/transcript.ts';

let home: Home;
let log: string;
beforeEach(() => {
  home = openHome();
  log = home.write('.claude/projects/-r/s1.jsonl', [
    user('u1', null, 'Where is the lighthouse?', { cwd: '/r' }),
    assistant('a1', 'u1', { type: 'text', text: 'On the northern cliff.' }),
  ]);
});
afterEach(() => home.remove());

const index = (): string => join(home.path, '.local/share/skein/index.db');
const found = (query: string): unknown =>
  JSON.parse(home.skein(['search', query, '--json']).out).items.map(({ uuid }: { uuid: string }) => uuid);
const statusOf = (): { index: { full_text: boolean } } => JSON.parse(home.skein(['status', '--json']).out);

test('M13 without full text searches read the logs and find the same, what was written since included', () => {
  expect(home.skein(['settings', 'fullText', 'off']).code).toBe(0);
  expect(home.skein(['index'])).toEqual({ out: '', err: '', code: 0 });
  expect(statusOf().index.full_text).toBe(false);
  expect(home.skein(['status']).out).toMatch(/Index .*, without full text\n/);
  expect(found('cliff')).toEqual(['a1']);
  const { mtimeMs } = statSync(index());
  appendFileSync(log, `${JSON.stringify(user('u2', 'a1', 'Which cliff?'))}\n`);
  expect(found('cliff')).toEqual(expect.arrayContaining(['a1', 'u2']));
  // A search that has no use for it does not bring it up to date.
  expect(statSync(index()).mtimeMs).toBe(mtimeMs);
  expect(home.skein(['sessions']).out).toContain('Where is the lighthouse?');
});

test('M7 set to "on" again, the next index makes it', () => {
  home.skein(['settings', 'fullText', 'off']);
  home.skein(['index']);
  home.skein(['settings', 'fullText', '--clear']);
  expect(found('cliff')).toEqual(['a1']);
  expect(home.skein(['index'])).toEqual({ out: '', err: '', code: 0 });
  expect(statusOf().index.full_text).toBe(true);
  expect(found('cliff')).toEqual(['a1']);
  expect(home.skein(['index'])).toEqual({ out: '', err: '', code: 0 });
});
