import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../src/formats/index.ts';
import type { Change, Format, Line, LogRecord } from '../../src/model/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import {
  feedsOf,
  formatOf,
  projects,
  type RandomProject,
  readInTurns,
  readWhole,
  type Schedule,
  schedules,
} from '../kit/random-project.ts';
import {
  bytesOf,
  caveat,
  digestOf,
  type Files,
  factsOf,
  linesOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

/** `FC_RUNS=20000 npx vitest run test/tree/any-order.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 700);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

const result = { type: 'user', sessionId: 's1', message: { role: 'user', content: [toolResult('t1')] } };
const call = {
  type: 'assistant',
  sessionId: 's1',
  message: { role: 'assistant', content: [toolUse('t1', 'SendMessage')] },
};
/** The call that starts a sub-agent stands in another session, and its record gets another id when that of a third file turns up. */
const startedElsewhere: RandomProject = {
  format: 'claude-code',
  files: {
    's2.jsonl': [{ ...result, uuid: 'a', parentUuid: 'a', toolUseResult: { agentId: 'g1' } }],
    's3.jsonl': [{ ...call, uuid: 'd', parentUuid: null, isSidechain: true }],
    's2/subagents/workflows/w1/journal.jsonl': [
      { type: 'system', subtype: 'compact_boundary', uuid: 'a', parentUuid: null, isSidechain: true, agentId: 'g1' },
      { type: 'queue-operation', operation: 'enqueue', content: 'x' },
      { ...result, uuid: 'd', parentUuid: 'a' },
    ],
  },
};

/** The line that a file names as the last one stands in another, of a sub-agent, and leads back to a record of this one. */
const leafElsewhere: RandomProject = {
  format: 'claude-code',
  files: {
    's2.jsonl': [
      { type: 'system', subtype: 'compact_boundary', uuid: 'a', parentUuid: null, sessionId: 's1' },
      { type: 'last-prompt', leafUuid: 'g', sessionId: 's1' },
    ],
    's1.jsonl': [
      { ...result, uuid: 'h', parentUuid: 'a', isSidechain: true },
      { type: 'progress', data: { type: 'agent_progress' }, uuid: 'g', parentUuid: 'h', isSidechain: true },
    ],
  },
};

/** The only call with its id that starts sub-agents stands in the sub-agent that it is said to have started. */
const startsItself: RandomProject = {
  format: 'claude-code',
  files: {
    's1.jsonl': [
      { type: 'system', subtype: 'compact_boundary', uuid: 's', parentUuid: null, isSidechain: true, sessionId: 's1' },
      {
        ...call,
        uuid: 'a',
        parentUuid: null,
        isSidechain: true,
        agentId: 'g1',
        message: { role: 'assistant', content: [toolUse('t1', 'Task', { prompt: 'x', description: 'x' })] },
      },
      { ...result, uuid: 'b', parentUuid: 'nowhere', isSidechain: true, toolUseResult: { agentId: 'g1' } },
      { ...call, uuid: 'c', parentUuid: 's', isSidechain: true },
    ],
  },
};

/** Prompts that look like branches, until the caveat comes that they hang on. */
const gathersLate: RandomProject = {
  format: 'claude-code',
  files: { 's1.jsonl': [user('u1', 'v', 'one'), user('u2', 'v', 'two'), user('u3', 'u1', 'three'), caveat('v', null)] },
};

/** A copy of a line moves a record to the sub-agent of another session, which is shown only then. */
const movesLate: RandomProject = {
  format: 'claude-code',
  files: {
    's3.jsonl': [
      {
        ...call,
        uuid: 'g',
        parentUuid: null,
        isSidechain: true,
        agentId: 'g1',
        forkedFrom: { sessionId: 's1', messageUuid: 'a' },
      },
      { type: 'queue-operation', operation: 'enqueue', content: 'x', sessionId: 's1' },
    ],
    'agent-g1.jsonl': [
      { ...result, uuid: 'a', parentUuid: null, isSidechain: true },
      { ...call, uuid: 'g', parentUuid: 'a', isSidechain: true },
    ],
    's1.jsonl': [],
  },
};

describe('H10, law 1: the tree is the same for any order of reading', () => {
  test('any interleaving of the files and any split into pieces gives the same tree', () => {
    fc.assert(
      fc.property(projects, schedules, (project, schedule) => {
        const feeds = feedsOf(project);
        expect(digestOf(readInTurns(feeds, schedule))).toBe(digestOf(readWhole(feeds)));
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);

  test('looking at the tree while it grows changes nothing', () => {
    const examples = [startedElsewhere, leafElsewhere, startsItself, gathersLate, movesLate].flatMap((each) =>
      [[], [5]].map((turns): [RandomProject, Schedule] => [each, { turns, sizes: [1] }]),
    );
    fc.assert(
      fc.property(projects, schedules, (project, schedule) => {
        const feeds = feedsOf(project);
        const watched = readInTurns(feeds, schedule, (_change, tree) => {
          for (const id of tree.sessionIds()) tree.segments(tree.session(id).id);
        });
        expect(digestOf(watched)).toBe(digestOf(readWhole(feeds)));
      }),
      { numRuns, ...seed, examples },
    );
  }, 3_600_000);

  test('any split of the bytes gives the same lines', () => {
    fc.assert(
      fc.property(projects, fc.integer({ min: 1, max: 40 }), (project, size) => {
        const format = formatOf(project);
        for (const [path, content] of Object.entries(project.files)) {
          if (!path.endsWith('.jsonl')) continue;
          const bytes = bytesOf(content);
          expect(linesOf(format, path, bytes, size)).toEqual(linesOf(format, path, bytes));
        }
      }),
      { numRuns: Math.min(numRuns, 2000), ...seed },
    );
  }, 3_600_000);
});

describe('M9: reading goes on where it stopped', () => {
  test('a reader opened with the state of another gives the lines that one would have given', () => {
    fc.assert(
      fc.property(projects, fc.nat(), (project, cut) => {
        const format = formatOf(project);
        for (const [path, content] of Object.entries(project.files)) {
          if (!path.endsWith('.jsonl')) continue;
          const bytes = bytesOf(content);
          const { state, position, lines } = readUpTo(format, path, bytes, cut % (bytes.length + 1));
          const facts = factsOf(format, path);
          const reader = format.open(facts, JSON.parse(JSON.stringify(state ?? null)) ?? undefined);
          const splitter = new LineSplitter(
            facts.id,
            (line, ref, isCut, torn) => lines.push(reader.next(line, ref, isCut, torn).line),
            position,
          );
          splitter.push(bytes.subarray(position.offset));
          splitter.end();
          expect(lines).toEqual(linesOf(format, path, bytes));
        }
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);
});

/** The whole lines of a file of which only the beginning is there; the torn last one is looked at too, as a watcher does. */
function readUpTo(format: Format, path: string, bytes: Uint8Array, end: number) {
  const facts = factsOf(format, path);
  const reader = format.open(facts);
  const lines: Line[] = [];
  const splitter = new LineSplitter(facts.id, (line, ref, cut, torn) => {
    const parsed = reader.next(line, ref, cut, torn);
    if (!torn) lines.push(parsed.line);
  });
  splitter.push(bytes.subarray(0, end));
  const { position } = splitter;
  splitter.end();
  return { state: reader.state, position, lines };
}

describe('Changes tell everything that happened', () => {
  test('added and removed ids, replayed, are the ids of all records', () => {
    fc.assert(
      fc.property(projects, schedules, (project, schedule) => {
        const replayed = new Set<string>();
        readInTurns(feedsOf(project), schedule, (change, tree) => {
          replay(replayed, change);
          expect([...replayed].sort()).toEqual(idsOf(tree));
        });
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);

  test('a record that reads differently than before was named', () => {
    fc.assert(
      fc.property(projects, schedules, (project, schedule) => {
        let before = new Map<string, string>();
        readInTurns(feedsOf(project), schedule, (change, tree) => {
          const after = contentOf(tree);
          const named = new Set([...change.added, ...change.changed, ...change.removed]);
          for (const id of new Set([...before.keys(), ...after.keys()]))
            if (!named.has(id)) expect(after.get(id)).toBe(before.get(id));
          before = after;
        });
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);

  test('what was added is had by its place as by its id', () => {
    fc.assert(
      fc.property(projects, schedules, (project, schedule) => {
        readInTurns(feedsOf(project), schedule, ({ added }, tree) => {
          for (const [place, id] of added.entries()) expect(tree.addedAt(place)).toEqual(tree.record(id));
        });
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);

  test('a revision grows when its record changes', () => {
    fc.assert(
      fc.property(projects, schedules, (project, schedule) => {
        let before = new Map<string, LogRecord>();
        readInTurns(feedsOf(project), schedule, (change, tree) => {
          const after = new Map([...tree.allRecords()].map((record) => [record.id, record]));
          for (const id of change.changed) expect(after.get(id)?.revision).toBe(change.revision);
          for (const [id, record] of after)
            if (before.get(id)?.revision === record.revision) expect(textOf(record)).toBe(textOf(before.get(id)));
          before = after;
        });
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);
});

describe('What a tree says holds together', () => {
  test('each record is found by its id, and every line is in one bucket', () => {
    fc.assert(
      fc.property(projects, (project) => {
        const feeds = feedsOf(project);
        const tree = readWhole(feeds);
        const ids = idsOf(tree);
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(tree.record(id)?.id).toBe(id);
        const sum = Object.values(tree.accounting()).reduce((a, b) => a + b, 0);
        expect(sum).toBe(linesIn(project.files));
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);

  test('every record of the main line is in a thread of its session exactly as often as its segment', () => {
    fc.assert(
      fc.property(projects, (project) => {
        const tree = readWhole(feedsOf(project));
        for (const id of tree.sessionIds()) {
          const session = tree.session(id);
          const reached = new Set(session.threads.flatMap((thread) => tree.path(id, thread.id)));
          expect([...reached].sort()).toEqual([...tree.records(id)].sort());
          for (const thread of session.threads) {
            const path = tree.path(id, thread.id);
            expect(new Set(path).size).toBe(path.length);
            expect(path).toHaveLength(thread.recordCount);
            expect(path.at(-1)).toBe(thread.leaf);
          }
          expect(new Set(session.threads.map((thread) => thread.id)).size).toBe(session.threads.length);
        }
      }),
      { numRuns, ...seed },
    );
  }, 3_600_000);
});

/** Lines of logs; a file beside a transcript is none. */
const linesIn = (files: Files): number =>
  Object.keys(files).reduce((sum, path) => sum + (path.endsWith('.jsonl') ? (files[path]?.length ?? 0) : 0), 0);

function replay(ids: Set<string>, { added, changed, removed }: Change): void {
  for (const id of removed) expect(ids.delete(id), `removed ${id} was there`).toBe(true);
  for (const id of added) {
    expect(ids.has(id), `added ${id} is new`).toBe(false);
    ids.add(id);
  }
  for (const id of changed) expect(ids.has(id), `changed ${id} is there`).toBe(true);
}

const idsOf = (tree: Tree): string[] => [...tree.allRecords()].map((record) => record.id).sort();

/** The session's name may change with another session's file; it is told in `merged`. */
const textOf = (record: LogRecord | undefined): string =>
  JSON.stringify(record, (key, value) => (key === 'revision' || key === 'session' ? undefined : value), 1);

const contentOf = (tree: Tree): Map<string, string> =>
  new Map([...tree.allRecords()].map((record) => [record.id, textOf(record)]));
