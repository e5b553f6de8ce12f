import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openHome } from './kit/home.ts';

/**
 * Each folder holds `session.jsonl` (with `session/` beside it where there are sub-agents) and what `skein show` prints for it:
 * `expected.txt` plainly, `expected-verbose.txt` with `--verbose`, `expected-file-order.txt`, `expected-agent=ID.txt` and so on.
 */
const FIXTURES = join(import.meta.dirname, 'fixtures');
const home = openHome();
afterAll(() => home.remove());

const cases = readdirSync(FIXTURES).flatMap((name) =>
  readdirSync(join(FIXTURES, name)).flatMap((file) => {
    const option = /^expected(?:-(.+))?\.txt$/.exec(file);
    return option ? [{ name, file, args: option[1] === undefined ? [] : [`--${option[1]}`] }] : [];
  }),
);

test.each(cases)('H20, H21 $name $args reads as $file says', ({ name, file, args }) => {
  const folder = join(FIXTURES, name);
  const { out, err } = home.skein(['show', join(folder, 'session.jsonl'), ...args]);
  expect(err).toBe('');
  expect(out).toBe(readFileSync(join(folder, file), 'utf8'));
});
