import { afterEach, expect, test, vi } from 'vitest';
import { History, threadRow } from '../../src/history/index.ts';
import { type Home, openHome } from '../kit/home.ts';
import { assistant, user } from '../kit/transcript.ts';

let home: Home;
afterEach(() => home.remove());

const open = (lines: readonly object[]) => {
  home = openHome();
  home.write('projects/-r/s.jsonl', lines);
  return History.open({ roots: [home.path] }).find('s');
};

/** A session that was rewound at each of its prompts: every branch leads through all prompts before it. */
function comb(teeth: number): object[] {
  const lines: object[] = [user('p0', null, 'begin'), assistant('a0', 'p0')];
  for (let i = 1; i <= teeth; i++)
    lines.push(
      user(`t${i}`, `a${i - 1}`, `try ${i}`),
      assistant(`b${i}`, `t${i}`),
      user(`p${i}`, `a${i - 1}`, `prompt ${i}`),
      assistant(`a${i}`, `p${i}`),
    );
  return lines;
}

test.each([10, 40])(
  'P6 the rows of %i nested branches look at each record once, and at two prompts of each',
  (teeth) => {
    const session = open(comb(teeth));
    const asked = vi.spyOn(session.logs.read().tree, 'record');
    expect(session.threads.map(threadRow)).toHaveLength(teeth + 1);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2 + 4 * teeth + 2 * (teeth + 1));
  },
);

test('H15 a thread without a summary is told by its first prompt after the fork and its last, the first one by its first of all', () => {
  const { threads } = open([
    user('u1', null, 'begin'),
    assistant('a1', 'u1'),
    user('u2', 'a1', 'one way'),
    user('u3', 'a1', 'another way'),
    assistant('a3', 'u3'),
    user('u4', 'a3', 'further'),
    assistant('a4', 'u4'),
    assistant('a5', 'u4'),
  ]);
  expect(Object.fromEntries(threads.map(({ id, summary }) => [id, summary]))).toEqual({
    u1: 'begin → one way',
    u3: 'another way → further',
    a5: 'further',
  });
});
