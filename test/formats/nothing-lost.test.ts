import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { Block, Format, LineRef, Parsed } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { factsOf, type Json, piHeader, piUser, user } from '../kit/transcript.ts';

const CORPUS = resolve('../shared/corpus');
const present = existsSync(CORPUS);
if (!present) console.log(`test/formats/nothing-lost.test.ts: there is no ${CORPUS}; only its own samples are tested`);

const UNKNOWN = 'zz_unknown';
type Sample = Json & { readonly type?: unknown };
type Path = readonly (string | number)[];

/** Data of others, in which every key is possible: inputs of tools, results, what extensions store, maps by path. */
const FOREIGN: readonly RegExp[] = [
  /(^|\.)input$/,
  /(^|\.)toolUseResult$/,
  /^message\.content\.\d+\.content$/,
  /\.trackedFileBackups$/,
  /(^|\.)arguments$/,
  /(^|\.)details$/,
  /^data$/,
  /^modelUsage$/,
  /^result$/,
  /^error\.headers$/,
  // A slip of the pen in corpus/claude-code/cases/edge_cases.jsonl.
  /^message\.contenst$/,
  /^attachment\.(content|tasks|skills|memories|response|data)$/,
];
const isForeign = (path: Path): boolean => FOREIGN.some((known) => known.test(path.join('.')));
/** `data` of a progress line is its own; that of a Pi entry belongs to an extension. */
const inside = (sample: Sample, path: Path): boolean =>
  !isForeign(path) || (sample.type === 'progress' && path.join('.') === 'data');

/** All objects of a line, the line itself included. */
function* objectsIn(sample: Sample, value: unknown = sample, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null || !inside(sample, path)) return;
  if (!Array.isArray(value)) yield path;
  for (const [key, item] of Object.entries(value))
    yield* objectsIn(sample, item, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** Values out of a fixed set, as far as the formats are known. */
const ENUMS: readonly RegExp[] = [
  /^(type|subtype|level|operation|userType|permissionMode|promptSource)$/,
  /^(attachment|data|compactMetadata|origin|thinkingMetadata)\.(type|trigger|kind|level)$/,
  /^message\.(role|type|stop_reason|stopReason)$/,
  /^message\.usage\.speed$/,
  /^message\.content\.\d+\.type$/,
  /^message\.content\.\d+\.source\.type$/,
];

function* enumsIn(sample: Sample, value: unknown = sample, path: Path = []): Generator<Path> {
  if (typeof value === 'string' && ENUMS.some((known) => known.test(path.join('.')))) yield path;
  if (typeof value !== 'object' || value === null || !inside(sample, path)) return;
  for (const [key, item] of Object.entries(value)) yield* enumsIn(sample, item, [...path, key]);
}

function changed(sample: Sample, path: Path, change: (holder: Record<string, unknown>, key: string) => void): Sample {
  const copy = structuredClone(sample);
  let holder: unknown = copy;
  for (const key of path.slice(0, -1)) holder = (holder as Record<string, unknown>)[key];
  change(holder as Record<string, unknown>, String(path.at(-1) ?? ''));
  return copy;
}
const withKey = (sample: Sample, path: Path): Sample =>
  changed(sample, [...path, UNKNOWN], (holder, key) => {
    holder[key] = 1;
  });
const withValue = (sample: Sample, path: Path): Sample =>
  changed(sample, path, (holder, key) => {
    holder[key] = UNKNOWN;
  });

interface Read {
  readonly tree: Tree;
  readonly parsed: Parsed;
  readonly bytes: Uint8Array;
}

/** The line after a prompt, so that there is a session in which it can be found. */
function read(format: Format, sample: Sample): Read {
  const facts = factsOf(format, 's.jsonl');
  const before = format === pi ? [piHeader('s'), piUser('first', null)] : [user('first', null)];
  const bytes = new TextEncoder().encode([...before, sample].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const reader = format.open(facts);
  const parsed: Parsed[] = [];
  const splitter = new LineSplitter(facts.id, (line, ref, cut, torn) => parsed.push(reader.next(line, ref, cut, torn)));
  splitter.push(bytes);
  splitter.end();
  const tree = new Tree();
  tree.add(
    facts,
    parsed.map(({ line }) => line),
  );
  const sum = Object.values(tree.accounting()).reduce((a, b) => a + b, 0);
  expect(sum).toBe(parsed.length);
  return { tree, parsed: parsed.at(-1) as Parsed, bytes };
}

/** Every place the tree leads to. */
function* refsIn(value: unknown): Generator<LineRef> {
  if (typeof value !== 'object' || value === null) return;
  if ('offset' in value && 'bytes' in value) yield value as LineRef;
  else for (const item of Object.values(value)) yield* refsIn(item);
}

function isReachable({ tree, parsed }: Read): boolean {
  const { line } = parsed.line.ref;
  const published = [[...tree.allRecords()], tree.sessionIds().map((id) => tree.session(id))];
  for (const ref of refsIn(published)) if (ref.line === line) return true;
  return false;
}

/** Steps of the queue and summaries of other files say nothing in this session. */
const mayVanish = ({ parsed: { line } }: Read): boolean =>
  line.in === 'queue' || (line.in === 'bookkeeping' && line.fact.type === 'summary');

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* stringsIn(item);
}

/** Words of what a line says; names of tags and ids are no words. */
function wordsOf(sample: Sample): Set<string> {
  const message = sample.message as { content?: unknown; summary?: unknown } | string | undefined;
  const inside = typeof message === 'string' ? [message] : [message?.content, message?.summary];
  const said = [...inside, sample.content, sample.summary, sample.attachment];
  const words = new Set<string>();
  for (const part of said) {
    const clean = JSON.parse(
      JSON.stringify(part ?? null, (key, value) =>
        /signature|tool_use_id|cache_control|^type$|^citations$|media_type|caller|commandMode|partialJson/i.test(key)
          ? undefined
          : value,
      ),
    );
    for (const text of stringsIn(clean)) {
      // What an agent shows while it carries out a command is not said by anybody.
      const plain = text
        .replace(/<command-message>.*?<\/command-message>/gs, ' ')
        .replace(/<\/?[a-z_-]+>/g, ' ')
        .replace(/<teammate-message[^>]*>/g, ' ');
      for (const word of plain.slice(0, 20_000).match(/[A-Za-z]{4,}/g) ?? []) words.add(word);
    }
  }
  return words;
}

function saidBy(blocks: readonly Block[]): string {
  return blocks.flatMap(({ at: _at, ...block }) => [...stringsIn(block)]).join('\n');
}

function check(format: Format, sample: Sample, names: string | null): void {
  const result = read(format, sample);
  const { parsed, tree, bytes } = result;
  const { ref } = parsed.line;
  const raw = new TextDecoder().decode(bytes.subarray(ref.offset, ref.offset + ref.bytes));
  expect(JSON.parse(raw)).toEqual(sample);
  if (!mayVanish(result)) expect(isReachable(result), 'the tree leads to the line').toBe(true);
  const said = saidBy(parsed.blocks());
  const missing = [...wordsOf(sample)].filter((word) => !said.includes(word));
  expect(missing, 'words that are in the line and in no block').toEqual([]);
  if (names !== null)
    expect(
      tree
        .findings()
        .map(({ message }) => message)
        .join('\n'),
    ).toContain(names);
}

/** Two lines with the same keys and the same names in them have one shape. */
function shapeOf(sample: Sample): string {
  const parts = new Set<string>();
  const walk = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      const below = [...path, Array.isArray(value) ? 0 : key];
      if (typeof item === 'string' && ENUMS.some((known) => known.test(below.join('.'))))
        parts.add(`${below.join('.')}=${item}`);
      else parts.add(`${below.join('.')}:${typeof item}`);
      if (inside(sample, below)) walk(item, below);
    }
  };
  walk(sample, []);
  return [...parts].sort().join(' ');
}

function corpusSamples(folder: string): Map<string, Sample[]> {
  const shapes = new Map<string, Sample>();
  for (const entry of readdirSync(join(CORPUS, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue;
    for (const line of readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n')) {
      const sample = parse(line);
      if (!sample) continue;
      const shape = shapeOf(sample);
      if (!shapes.has(shape)) shapes.set(shape, sample);
    }
  }
  return Map.groupBy(shapes.values(), (sample) => String(sample.type));
}

function parse(line: string): Sample | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Sample) : null;
  } catch {
    return null;
  }
}

const chain = {
  uuid: 'x1',
  parentUuid: 'first',
  sessionId: 's',
  timestamp: '2026-01-01T00:00:00.000Z',
  version: '2.1.200',
  isSidechain: false,
  cwd: '/r',
};
const CLAUDE: readonly Sample[] = [
  {
    type: 'system',
    subtype: 'compact_boundary',
    ...chain,
    parentUuid: null,
    logicalParentUuid: 'first',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: {
      trigger: 'auto',
      preTokens: 160000,
      preservedSegment: { headUuid: 'h' },
      preservedMessages: { anchorUuid: 'h', uuids: [] },
    },
  },
  {
    type: 'system',
    subtype: 'microcompact_boundary',
    ...chain,
    content: 'trimmed',
    microcompactMetadata: { trigger: 'auto', preTokens: 1 },
  },
  {
    type: 'system',
    subtype: 'api_error',
    ...chain,
    level: 'error',
    error: { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } },
    retryInMs: 500,
    retryAttempt: 1,
    maxRetries: 10,
  },
  {
    type: 'system',
    subtype: 'local_command',
    ...chain,
    level: 'info',
    content: '<command-name>/rename</command-name><command-args>other title</command-args>',
  },
  {
    type: 'user',
    ...chain,
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
    message: { role: 'user', content: 'This session is being continued from a previous conversation about parsers' },
  },
  {
    type: 'user',
    ...chain,
    userType: 'external',
    promptSource: 'typed',
    origin: { kind: 'human' },
    forkedFrom: { sessionId: 'o', messageUuid: 'x1' },
    message: {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words inside' }, title: 'paper' },
        { type: 'text', text: 'please look' },
      ],
    },
  },
  {
    type: 'user',
    ...chain,
    origin: { kind: 'task-notification' },
    message: {
      role: 'user',
      content:
        '<task-notification>\n<task-id>abc</task-id>\n<status>completed</status>\n<result>everything done</result>\n</task-notification>',
    },
  },
  {
    type: 'user',
    ...chain,
    message: { role: 'user', content: '<system-reminder>remember this</system-reminder>\nand answer that' },
  },
  {
    type: 'assistant',
    ...chain,
    isApiErrorMessage: true,
    error: 'rate_limit',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: '<synthetic>',
      content: [{ type: 'text', text: "You've hit your limit" }],
      stop_reason: 'stop_sequence',
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        speed: 'standard',
        cache_creation: { ephemeral_5m_input_tokens: 0 },
        server_tool_use: { web_search_requests: 0 },
        iterations: [{ type: 'message', input_tokens: 0 }],
      },
    },
  },
  {
    type: 'assistant',
    ...chain,
    message: {
      id: 'm',
      role: 'assistant',
      model: 'x',
      content: [
        { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'skein' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srv',
          content: [{ type: 'web_search_result', title: 'found page', url: 'u' }],
        },
      ],
      stop_reason: 'pause_turn',
    },
  },
  {
    type: 'attachment',
    ...chain,
    attachment: { type: 'queued_command', prompt: 'also run the tests', commandMode: 'prompt' },
  },
  {
    type: 'attachment',
    ...chain,
    attachment: {
      type: 'file',
      filename: 'notes.txt',
      displayPath: 'notes.txt',
      content: { type: 'text', file: { filePath: '/r/notes.txt', content: 'inside the file' } },
    },
  },
  {
    type: 'progress',
    ...chain,
    toolUseID: 'agent_msg',
    parentToolUseID: 't1',
    data: { type: 'agent_progress', agentId: 'g1', prompt: 'look around' },
  },
  { type: 'queue-operation', operation: 'enqueue', content: 'type ahead', timestamp: chain.timestamp, sessionId: 's' },
  { type: 'summary', summary: 'what happened here', leafUuid: 'first' },
  ...[
    'custom-title',
    'ai-title',
    'last-prompt',
    'permission-mode',
    'mode',
    'agent-name',
    'agent-setting',
    'agent-color',
    'tag',
    'pr-link',
    'bridge-session',
    'worktree-state',
    'content-replacement',
    'fork-context-ref',
    'cost-state',
    'file-history-delta',
    'started',
    'result',
    'launched',
    'failed',
  ].map((type) => ({ type, sessionId: 's' })),
];

const PI: readonly Sample[] = [
  { type: 'session', version: 3, id: 'S', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/r' },
  {
    type: 'message',
    id: 'e1',
    parentId: null,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: 'hello', timestamp: 1 },
  },
  {
    type: 'message',
    id: 'e2',
    parentId: 'e1',
    timestamp: '2026-01-01T00:00:02.000Z',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'toolCall', id: 't1', name: 'read', arguments: {} },
      ],
      api: 'x',
      provider: 'p',
      model: 'm',
      stopReason: 'toolUse',
      usage: {
        input: 1,
        output: 1,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 2,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      timestamp: 2,
    },
  },
  {
    type: 'model_change',
    id: 'e3',
    parentId: 'e2',
    timestamp: '2026-01-01T00:00:03.000Z',
    provider: 'p',
    modelId: 'm',
  },
];

const FORMATS: readonly (readonly [string, Format, readonly Sample[], string])[] = [
  ['Claude Code', claudeCode, CLAUDE, 'claude-code'],
  ['Pi', pi, PI, 'pi'],
];

describe.each(FORMATS)('Nothing is lost and nothing new goes unnoticed: %s', (_name, format, own, folder) => {
  const byType = present ? corpusSamples(folder) : new Map<string, Sample[]>();
  for (const sample of own) byType.set(String(sample.type), [...(byType.get(String(sample.type)) ?? []), sample]);

  test.each([...byType])('%s', (_type, samples) => {
    const failed = new Map<string, string>();
    for (const sample of samples) {
      const line = place(format, sample);
      attempt(failed, 'as it is', () => check(format, line, null));
      const knows = typeof line.type === 'string';
      for (const path of objectsIn(line))
        attempt(failed, nameOf([...path, UNKNOWN]), () => check(format, withKey(line, path), knows ? UNKNOWN : null));
      for (const path of enumsIn(line))
        attempt(failed, `${nameOf(path)}=${UNKNOWN}`, () => check(format, withValue(line, path), UNKNOWN));
    }
    expect(Object.fromEntries(failed)).toEqual({});
  });
});

/** A type of which nothing but the name was ever seen. */
test.each([
  'frame-link',
  'atis-latch',
  'relocated',
  'continued-in',
  'isolation-latch',
  'attribution-snapshot',
  'artifact-comment-monitor',
])('a line of type %s is bookkeeping and no finding', (type) => {
  const { tree } = read(claudeCode, { type, sessionId: 's', anything: { at: ['all'] } });
  expect(tree.accounting()).toMatchObject({ bookkeeping: 1 });
  expect(tree.findings()).toEqual([]);
});

const nameOf = (path: Path): string =>
  path.map((key) => (typeof key === 'number' || /^\d+$/.test(key) ? '[]' : key)).join('.');

/** Hangs the line on the prompt before it. */
function place(format: Format, sample: Sample): Sample {
  if (format === pi) return sample;
  const line: Record<string, unknown> = { ...sample };
  if (typeof line.parentUuid === 'string') line.parentUuid = 'first';
  if (typeof line.leafUuid === 'string') line.leafUuid = 'first';
  return line as Sample;
}

function attempt(failed: Map<string, string>, what: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    failed.set(what, error instanceof Error ? error.message : String(error));
  }
}
