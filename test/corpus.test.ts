import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkProject, History, type Logs, type Project } from '../src/history/index.ts';
import type { Accounting, LogRecord, Session } from '../src/model/index.ts';

/** Real transcripts that are read in place and are no part of the project. */
const CORPUS = resolve('../shared/corpus');
const present = existsSync(CORPUS);
if (!present) console.log(`test/corpus.test.ts: there is no ${CORPUS}; its tests are skipped`);

const lazy = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
const projects = lazy(() => History.open({ roots: [join(CORPUS, 'claude-code/projects')] }).projects);
const records = lazy(() => projects().flatMap((project) => [...treeOf(project).allRecords()]));
/** The corpus has one agent per project. */
const readOf = (project: Project) => (project.logs[0] as Logs).read();
const treeOf = (project: Project) => readOf(project).tree;
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
const sumOf = (accounted: Accounting): number => sum(Object.values(accounted));

function sessionOf(native: string): { readonly project: Project; readonly session: Session } {
  for (const project of projects()) {
    const tree = treeOf(project);
    for (const id of tree.sessionIds()) if (id.startsWith(native)) return { project, session: tree.session(id) };
  }
  throw new Error(`no session ${native}`);
}

/** One entry per API response, with the final figures. */
function responses(): Map<string, NonNullable<LogRecord['usage']>> {
  const byKey = new Map<string, NonNullable<LogRecord['usage']>>();
  for (const { usage } of records()) {
    const known = usage && byKey.get(usage.key);
    if (usage && (!known || usage.output > known.output)) byKey.set(usage.key, usage);
  }
  return byKey;
}

describe.skipIf(!present)('The corpus of Claude Code, counted by two other programs', () => {
  test('56 files, 8 of them empty, 2,153 lines', () => {
    const logs = projects().flatMap((project) => project.files.filter(({ facts }) => facts.role !== 'sidecar'));
    expect(logs).toHaveLength(56);
    expect(logs.filter((file) => file.size === 0)).toHaveLength(8);
    expect(sum(projects().map((project) => checkProject(project).lines))).toBe(2153);
  });

  test('H23 every line of every file is in one bucket', () => {
    for (const project of projects()) {
      const { lines } = readOf(project);
      for (const [file, count] of lines) expect(sumOf(checkProject(project, [file]).accounted), file).toBe(count);
    }
  });

  test('no line is unparsable and nothing in it is unknown', () => {
    expect(projects().flatMap((project) => checkProject(project).findings)).toEqual([]);
  });

  test('H3 659 tool calls and 659 results, every one matched', () => {
    const calls = records().flatMap((record) => record.calls);
    expect(calls).toHaveLength(659);
    expect(calls.filter((call) => call.result !== null)).toHaveLength(659);
    expect(calls.flatMap((call) => call.more)).toEqual([]);
    expect(new Set(calls.map((call) => `${call.result?.file}:${call.result?.line}`)).size).toBe(659);
  });

  test('H1 624 responses and their tokens, each counted once', () => {
    const usages = [...responses().values()];
    expect(usages).toHaveLength(624);
    expect(sum(usages.map((usage) => usage.input))).toBe(28_643);
    expect(sum(usages.map((usage) => usage.output))).toBe(110_065);
    expect(sum(usages.map((usage) => usage.cacheRead))).toBe(24_088_753);
    expect(sum(usages.map((usage) => usage.cacheWrite5m + usage.cacheWrite1h))).toBe(1_847_157);
  });

  test('H14 parallel calls are no branches: one thread with every record', () => {
    const { project, session } = sessionOf('ef958aa1');
    expect(session.threads).toHaveLength(1);
    expect(treeOf(project).path(session.id, session.threads[0]?.id ?? '')).toHaveLength(session.recordCount);
  });

  test('H14 nothing in the corpus branches but what a human rewound', () => {
    const threads = projects().flatMap((project) => project.sessions().map((session) => session.facts.threads.length));
    expect(threads.every((count) => count === 1)).toBe(true);
  });

  test('H7 a caveat that stands in three files does not join them', () => {
    const ids = ['71c9afe9', 'b45ad5d8', 'cbc0f75b'].map((native) => sessionOf(native).session);
    expect(new Set(ids.map((session) => session.id)).size).toBe(3);
    for (const session of ids) expect(session.files).toHaveLength(1);
  });

  test('H12 a sub-agent hangs on the call that started it, with its 24 calls and results', () => {
    const { project, session } = sessionOf('29ccd257');
    const subagent = session.subagents.find(({ id }) => id === 'a2271d1');
    expect(subagent?.spawn?.call).toBe('toolu_01SXaWzD5YZ73zGwchbcxeWi');
    const tree = treeOf(project);
    const calls = tree.subagentRecords('a2271d1').flatMap((id) => tree.record(id)?.calls ?? []);
    expect(calls).toHaveLength(24);
    expect(calls.filter((call) => call.result)).toHaveLength(24);
    const spawning = tree.record(subagent?.spawn?.record ?? '')?.calls;
    expect(spawning?.find(({ id }) => id === subagent?.spawn?.call)?.subagents).toEqual(['a2271d1']);
  });

  test('H12 every sub-agent that has more than a stub is linked', () => {
    const open = projects().flatMap((project) => project.sessions().flatMap((session) => session.facts.subagents));
    expect(open.filter(({ hidden, spawn }) => !hidden && !spawn)).toEqual([]);
    expect(open.filter(({ hidden }) => !hidden)).toHaveLength(7);
  });

  test('H16 summaries find their session in another file', () => {
    expect(sessionOf('4379d1bf').session.title).toEqual({ from: 'summary', text: 'CSS Details Margin Styling' });
  });
});

const cases = present ? filesIn(join(CORPUS, 'claude-code/cases')) : [];

describe.skipIf(!present)('Each file of the corpus, read alone', () => {
  test.each(cases)('%s: no crash, no line lost, the bytes unchanged', (path) => {
    const full = join(CORPUS, 'claude-code/cases', path);
    const before = hashOf(full);
    const history = History.openFile(full);
    expect(history.problems).toEqual([]);
    expect(history.projects).toHaveLength(1);
    for (const project of history.projects) {
      const check = checkProject(project);
      expect(sumOf(check.accounted)).toBe(check.lines);
      expect(check.lines).toBeGreaterThanOrEqual(linesIn(full));
      for (const session of project.sessions()) readEverything(project, session.id);
    }
    expect(hashOf(full)).toBe(before);
  });

  test('a session of Pi: no line lost, its name from the header, the bytes unchanged', () => {
    const full = join(CORPUS, 'pi/large-session.jsonl');
    const before = hashOf(full);
    const [project] = History.openFile(full).projects;
    expect(project?.agents).toEqual(['pi']);
    const check = project && checkProject(project);
    expect(check?.lines).toBe(linesIn(full));
    expect(check && sumOf(check.accounted)).toBe(check?.lines);
    // Some calls were left without a result.
    expect(check?.findings.map(({ rule }) => rule)).toEqual(Array(18).fill('M5.c3'));
    expect(project?.sessions().map(({ id }) => id)).toEqual(['d703a1a9-1b7b-4fb1-b512-c9738b1fe617']);
    if (project) readEverything(project, 'd703a1a9-1b7b-4fb1-b512-c9738b1fe617');
    expect(hashOf(full)).toBe(before);
  });
});

/** Asks for the content of every record a session shows. */
function readEverything(project: Project, id: string): void {
  const session = project.session(id);
  if (!session) throw new Error(`no session ${id}`);
  const tree = treeOf(project);
  const ids = [
    ...tree.records(id),
    ...session.facts.subagents.flatMap((subagent) => tree.subagentRecords(subagent.id)),
  ];
  for (const key of ids) {
    const record = tree.record(key);
    expect(record, key).not.toBeNull();
    if (record) session.content(record, { annotations: true });
  }
  expect(session.title).not.toBe('');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl') && entry.name !== 'journal.jsonl')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('subagents'))
    .sort();
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
const linesIn = (path: string): number =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length;
