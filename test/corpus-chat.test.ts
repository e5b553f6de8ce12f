import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildConversation, type EnhancedAIGroup, type Process, type SessionConversation } from '../src/chat/index.ts';
import { addMetrics, NO_METRICS } from '../src/chat/metrics.ts';
import { History, type Session } from '../src/history/index.ts';
import { type Json, jsonRecord } from '../src/views/json/json-record.ts';

/** Real transcripts that are read in place and are no part of the project. */
const PROJECTS = resolve('../shared/corpus/claude-code/projects');
const present = existsSync(PROJECTS);
if (!present) console.log(`test/corpus-chat.test.ts: there is no ${PROJECTS}; its tests are skipped`);

interface Shown {
  readonly session: Session;
  readonly view: SessionConversation;
}

/** Every session of the corpus has one thread, so that a thread shows it all. */
const shown: readonly Shown[] = present
  ? History.open({ roots: [PROJECTS] }).projects.flatMap((project) =>
      project.sessions().map((session) => {
        const thread = session.defaultThread?.id ?? null;
        const tree = session.logs.read().tree;
        return { session, view: buildConversation(tree, session.id, thread, (record) => session.content(record)) };
      }),
    )
  : [];

const groupsIn = ({ items }: SessionConversation): EnhancedAIGroup[] =>
  items.flatMap((item) => (item.type === 'ai' ? [item.group] : []));

/** The sub-agents of a conversation, and theirs. */
const processesIn = (view: SessionConversation): Process[] =>
  [...groupsIn(view).flatMap(({ processes }) => processes), ...view.unlinkedProcesses].flatMap((process) => [
    process,
    ...processesIn(process.conversation),
  ]);

const conversationsIn = (view: SessionConversation): SessionConversation[] => [
  view,
  ...processesIn(view).map(({ conversation }) => conversation),
];

const allGroups = (view: SessionConversation): EnhancedAIGroup[] => conversationsIn(view).flatMap(groupsIn);

interface JsonCall {
  readonly tool_use_id: string;
  readonly agents: readonly string[];
}

/** What `show --as json` writes of a session: its thread, and with `--agent` each sub-agent. */
const jsonOf = (session: Session): Json[] => {
  const subagents = session.facts.subagents.filter(({ hidden }) => !hidden);
  const records = [
    ...(session.defaultThread?.records() ?? []),
    ...subagents.flatMap((subagent) => [...session.subagentRecords(subagent)]),
  ];
  return records.map((record) => jsonRecord({ record, content: session.content(record) }, { verbose: false }));
};
const callsOf = (json: readonly Json[]): JsonCall[] =>
  json.flatMap(({ tool_calls }) => (tool_calls as JsonCall[] | undefined) ?? []);
const sumOf = (json: readonly Json[], field: string): number =>
  json.reduce((sum, { usage }) => sum + ((usage as Record<string, number> | null | undefined)?.[field] ?? 0), 0);
const sorted = (ids: Iterable<string>): string[] => [...new Set(ids)].sort();

describe.skipIf(!present)('Law 5: the chat of the corpus agrees with its JSON', () => {
  test('C3 every tool call is in exactly one group: 659 over all sessions and sub-agents', () => {
    const calls = shown.flatMap(({ view }) => allGroups(view).flatMap(({ linkedTools }) => [...linkedTools.keys()]));
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls).toHaveLength(659);
  });

  test('C1 every record that JSON shows is in an item, and no other', () => {
    for (const { session, view } of shown) {
      const items = conversationsIn(view).flatMap((conversation) => conversation.items);
      const records = items.flatMap((item) => (item.type === 'ai' ? item.group.responses : [item.group.message]));
      expect(sorted(records.map(({ id }) => id)), session.id).toEqual(
        sorted(jsonOf(session).map(({ uuid }) => `${uuid}`)),
      );
    }
  });

  test('C5 C6 the calls and sub-agents are the same', () => {
    for (const { session, view } of shown) {
      const calls = callsOf(jsonOf(session));
      const tools = allGroups(view).flatMap(({ linkedTools }) => [...linkedTools.keys()]);
      expect(sorted(tools), session.id).toEqual(sorted(calls.map((call) => call.tool_use_id)));
      const agents = calls.flatMap((call) => call.agents);
      expect(sorted(processesIn(view).map(({ id }) => id)), session.id).toEqual(sorted(agents));
    }
  });

  test('C13 the token sums are the same', () => {
    for (const { session, view } of shown) {
      const json = jsonOf(session);
      const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = addMetrics(
        NO_METRICS,
        conversationsIn(view).map(({ metrics }) => metrics),
      );
      expect([inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens], session.id).toEqual(
        ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_creation_tokens'].map((field) =>
          sumOf(json, field),
        ),
      );
    }
  });

  test('C1 the ids of the items are distinct, and so are those of what a group lists', () => {
    for (const { session, view } of shown) {
      const ids = view.items.map(({ group }) => group.id);
      expect(new Set(ids).size, session.id).toBe(ids.length);
      for (const { displayItems } of allGroups(view))
        expect(new Set(displayItems.map(({ id }) => id)).size).toBe(displayItems.length);
    }
  });

  test('C9 no group of a log that nobody writes is running', () => {
    expect(shown.flatMap(({ view }) => allGroups(view)).filter(({ status }) => status === 'in_progress')).toEqual([]);
  });

  test('P4 skein stats --json: the figures that two other programs counted', () => {
    const args = [resolve('bin/skein.cjs'), 'stats', '--root', PROJECTS, '--json'];
    const { totals } = JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
    const { cost_usd: cost, ...tokens } = totals;
    expect(tokens).toEqual({
      input_tokens: 28_643,
      output_tokens: 110_065,
      cache_read_tokens: 24_088_753,
      cache_creation_tokens: 1_847_157,
      responses: 624,
    });
    expect(Math.abs(cost / 23.916 - 1)).toBeLessThan(0.005);
  });
});
