import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { assistant, system, user } from '../kit/transcript.ts';

const EVIL = '\u001b]0;title\u0007\u001b[31m';
const cwd = `/r/${EVIL}`;

let home: Home;
beforeAll(() => {
  home = openHome();
  home.write(`.claude/projects/${cwd.replace(/\W/g, '-')}/aaaa1111.jsonl`, [
    user('u1', null, `go ${EVIL}`, { cwd }),
    system('y', 'u1', `note${EVIL}`, { content: `said ${EVIL}` }),
    assistant('a1', 'y', `ok ${EVIL}`, { cwd }),
  ]);
});
afterAll(() => home.remove());

test.each(['show aaaa --file-order', 'show aaaa --verbose', 'stats --by project', 'stats --by project --csv'])(
  'H21 no escape of a log reaches the terminal: %s',
  (line) => {
    const { out, code } = home.skein(line.split(' '));
    expect(code).toBe(0);
    expect(out).not.toMatch(/\p{Cc}(?<!\n)/u);
  },
);
