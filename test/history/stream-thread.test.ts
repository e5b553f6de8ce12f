import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { History, type Project, type Session, streamThread } from '../../src/history/index.ts';
import type { Format } from '../../src/model/index.ts';
import { renderRecord } from '../../src/views/text/render-record.ts';
import { sessionTexts } from '../kit/random-session.ts';
import {
  assistant,
  boundary,
  bytesOf,
  command,
  factsOf,
  type Json,
  queue,
  queuedCommand,
  stdout,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

/** `FC_RUNS=20000 npx vitest run test/history/stream-thread.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 2000);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

const MAIN = 's1.jsonl';

function projectOf(texts: Readonly<Record<string, string>>, format: Format = claudeCode): Project {
  const files = Object.entries(texts).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return { facts: factsOf(claudeCode, path), path: `p/${path}`, size: bytes.length, modified: 0, bytes };
  });
  const group = { id: 'p', path: '/p', names: ['p'], logs: [{ format, files }] };
  return History.ofGroup(group).projects[0] as Project;
}

const sessionIn = (project: Project): Session | undefined =>
  project.sessions().find(({ facts }) => facts.files.includes(`p/${MAIN}`));

const textsOf = (session: Session): string[] =>
  [...(session.defaultThread?.records() ?? [])].map((record) =>
    renderRecord({ record, content: session.content(record) }, { verbose: false }),
  );

/** The texts in the order they are given out, and how many of them before the file was read. */
function stream(project: Project, piece: number) {
  const [logs] = project.logs;
  const file = logs?.files.find(({ path }) => path === `p/${MAIN}`);
  if (!logs || !file) throw new Error('no session file');
  let early: number | null = null;
  const texts: string[] = [];
  const session = (): Session => {
    early = texts.length;
    const found = sessionIn(project);
    if (!found) throw new Error('no session');
    return found;
  };
  const again = (): void => {
    throw new Error(`given out too early: ${texts.slice(0, early ?? 0).join('\n')}`);
  };
  for (const entry of streamThread(logs, file, session, again, { piece }))
    texts.push(renderRecord(entry, { verbose: false }));
  return { texts, early: early ?? 0 };
}

const projects = fc
  .record({ main: sessionTexts('u'), agent: fc.option(fc.oneof(sessionTexts('v'), sessionTexts('u')), { freq: 2 }) })
  .map(({ main, agent }) => ({ [MAIN]: main, ...(agent === null ? {} : { 's1/subagents/agent-g2.jsonl': agent }) }));

test('what is given out early is what the whole session begins with', () => {
  let early = 0;
  let all = 0;
  fc.assert(
    fc.property(projects, fc.integer({ min: 1, max: 3000 }), (texts, piece) => {
      const usual = sessionIn(projectOf(texts));
      if (!usual) return;
      const streamed = stream(projectOf(texts), piece);
      expect(streamed.texts).toEqual(textsOf(usual));
      all += streamed.texts.length;
      early += streamed.early;
    }),
    { numRuns, ...seed },
  );
  if (process.env.FC_RUNS) console.log(`${early} of ${all} records were given out early`);
  // Else this test would show nothing.
  expect(early / all).toBeGreaterThan(0.1);
}, 3_600_000);

/** What is given out before the file is read, record by record; parents are written where the agent writes them. */
function early(...lines: readonly Json[]): string[] {
  const text = lines.map(({ parentUuid, isSidechain, ...rest }) => ({ parentUuid, isSidechain, ...rest }));
  const { texts, early: count } = stream(projectOf({ [MAIN]: new TextDecoder().decode(bytesOf(text)) }), 200);
  return texts.slice(0, count).map((each) => each.replace(/^\[.*?\] /, ''));
}

const leaf = (leafUuid: string): Json => ({ type: 'last-prompt', leafUuid, sessionId: 's' });

describe('a record is given out early', () => {
  test('when a prompt below it holds everything that follows', () => {
    expect(early(user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), assistant('a2', 'u2'))).toEqual([
      '<User> u1',
      '<Assistant> a1',
      '<User> u2',
    ]);
  });

  test('with its results, however late', () => {
    const lines = [
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T'), toolUse('never')]),
      user('u2', 'a1'),
      user('r1', 'u2', [toolResult('T')]),
    ];
    expect(early(...lines)).toEqual(['<User> u1']);
    expect(early(...lines, user('u3', 'r1'))).toHaveLength(4);
  });

  test('on the branch that the log names as active in the end', () => {
    const branches = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), user('u3', 'a1'), user('u4', 'u3')];
    expect(early(...branches)).toEqual(['<User> u1']);
    expect(early(...branches, leaf('u4'))).toEqual(['<User> u1', '<Assistant> a1', '<User> u3']);
    expect(early(...branches, leaf('u4'), leaf('u2'))).toEqual(['<User> u1']);
  });

  test('after a compaction too', () => {
    expect(early(user('u1', null), boundary('b1', 'u1'), user('u2', 'b1'))).toHaveLength(3);
  });
});

describe('a record is not given out early', () => {
  test('while its prompt waits, or was taken out and may still be attached', () => {
    const waiting = [user('u1', null), queue('enqueue', 'more'), user('u2', 'u1')];
    expect(early(...waiting)).toEqual(['<User> u1']);
    expect(early(...waiting, user('u3', 'u2'), queue('remove', 'more'), queuedCommand('q1', 'u3', 'more'))).toEqual([
      '<User> u1',
    ]);
  });

  test('when a later line is another part of it', () => {
    expect(
      early(
        user('u1', null),
        assistant('a1', 'u1', 'a', { id: 'm' }),
        user('u2', 'a1'),
        assistant('a2', 'u2', 'b', { id: 'm' }),
      ),
    ).toEqual(['<User> u1']);
  });

  test('when a later line hangs on one above it, or begins anew', () => {
    expect(early(user('u1', null), user('u2', 'u1'), user('u3', 'u1'))).toEqual(['<User> u1']);
    expect(early(user('u1', null), user('u2', 'u1'), user('u3', null))).toEqual([]);
  });

  test('while a command may still get its output, or a branch begin below it', () => {
    expect(early(user('u1', null), command('c1', 'u1', '/x'), stdout('o1', 'c1', 'out'))).toEqual(['<User> u1']);
    expect(early(user('u1', null), user('u2', 'u1'), command('c1', 'u1', '/x'), user('u3', 'c1'))).toEqual([
      '<User> u1',
    ]);
  });

  test('after a result whose call comes later', () => {
    const lines = [user('u1', null), user('r1', 'u1', [toolResult('T')]), user('u2', 'r1')];
    expect(early(...lines, assistant('a1', 'u2', [toolUse('T')]))).toEqual(['<User> u1']);
  });

  test('where a line has the id of another, hangs on a later one, on itself or on a sub-agent', () => {
    const start = [user('u1', null), user('u2', 'u1')];
    expect(early(...start, user('u2', 'u2', 'other'))).toEqual([]);
    expect(early(...start, user('u3', 'u4'), user('u4', 'u2'))).toEqual([]);
    expect(early(...start, user('u3', 'u3'))).toEqual([]);
    expect(early(...start, user('s1', 'u2', 'side', { isSidechain: true }), user('u3', 's1'))).toEqual([]);
  });
});

test('little of a long file is parsed before the first record is given out', () => {
  let parsed = 0;
  const counting: Format = {
    ...claudeCode,
    open: (...args) => {
      const reader = claudeCode.open(...args);
      return {
        next: (...line) => {
          parsed++;
          return reader.next(...line);
        },
        get state() {
          return reader.state;
        },
      };
    },
  };
  const lines = Array.from({ length: 4000 }, (_, i) => user(`u${i}`, i === 0 ? null : `u${i - 1}`));
  const project = projectOf({ [MAIN]: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }, counting);
  const [logs] = project.logs;
  const [file] = project.files;
  if (!logs || !file) throw new Error('no file');
  const [first] = streamThread(
    logs,
    file,
    () => sessionIn(project) as Session,
    () => {},
    { piece: 16_384 },
  );
  expect(first?.record.id).toBe('u0');
  expect(parsed).toBeLessThan(100);
});

test('when a line that looks whole turns out to be damaged, everything is given out again', () => {
  const lines = [user('u1', null), user('u2', 'u1'), user('u3', 'u2'), user('u4', 'u3')]
    .map(({ parentUuid, isSidechain, uuid, timestamp, ...rest }) =>
      JSON.stringify({ parentUuid, isSidechain, ...rest, uuid, timestamp }),
    )
    .join('\n');
  const damaged = lines.replace('"content":"u3"', '"content":"u3\\x"');
  const project = projectOf({ [MAIN]: `${damaged}\n` });
  const [logs] = project.logs;
  const [file] = project.files;
  if (!logs || !file) throw new Error('no file');
  const given: string[] = [];
  const again = (): void => void given.push('again');
  for (const { record } of streamThread(logs, file, () => sessionIn(project) as Session, again)) given.push(record.id);
  expect(given).toEqual(['u1', 'u2', 'again', 'u4']);
});
