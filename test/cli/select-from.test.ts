import { expect, test, vi } from 'vitest';
import { selectFrom } from '../../src/cli/show/select-from.ts';
import { type Session, Thread } from '../../src/history/index.ts';
import type { LogRecord } from '../../src/model/index.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { user } from '../kit/transcript.ts';

const BRANCHES = 200;

test('M14 a record on a side branch is shown in a thread that leads through it; of the others none is gone through', () => {
  const folder = new IndexFolder();
  try {
    const branch = (i: number) => [
      user(`b${i}`, 'u1', `way ${i}`),
      user(`c${i}`, `b${i}`, 'on'),
      user(`d${i}`, `b${i}`, 'or'),
    ];
    const branches = Array.from({ length: BRANCHES }, (_, i) => branch(i)).flat();
    folder.write('p', { 's.jsonl': [user('u1', null, 'begin', { cwd: '/p' }), ...branches] });
    const session = folder.history().projects[0]?.sessions()[0] as Session;
    const has = vi.spyOn(Thread.prototype, 'has');
    for (const id of ['u1', 'b0', 'c7', 'd150']) {
      const { thread } = selectFrom(session, session.record(id) as LogRecord);
      expect(thread && [...thread.records()].map((record) => record.id)).toContain(id);
    }
    expect(has.mock.calls.length).toBe(4);
    has.mockRestore();
  } finally {
    folder.remove();
  }
});
