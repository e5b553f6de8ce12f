import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFiles } from '../../src/demo/index.ts';
import type { Home } from './home.ts';
import { type Json, piEntry, piHeader, piUser } from './transcript.ts';

/** Everything that a terminal acts on, or that turns or hides what is read; it can be the name of a file. */
export const EVIL_NAME = [
  '\u001b]52;c;UFdO\u0007',
  '\u001b]8;;evil\u001b\\',
  '\u001b]0;t\u0007',
  '\u001b[41;5m\u001b[1m\u001b[2J\u001bc',
  '\u009b31m\u009d0;x\u009c',
  '\u202e\u2066\u206a\u061c\ufeff',
  '\u{e0041}\u{e007f}',
  '\r\u0007\b\u007f',
].join('e');

const EVIL_TEXT = `${EVIL_NAME}\0 http://a/\u001b[6n\u2028 \u001b]0;open`;

/** Once more, after everything that is taken for a whole sequence and dropped was dropped. */
export const ACTS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff]|\udb40[\udc00-\udc7f]/u;

/** What stays as it is in each copy, so that the rest is read as what it is; of the last copy nothing. */
const KEPT: readonly ReadonlySet<string>[] = [
  new Set(['type', 'role', 'timestamp', 'name', 'subtype', 'operation', 'commandMode', 'stop_reason', 'model']),
  new Set(['type', 'role', 'timestamp']),
  new Set(),
];

/** Every text in it, and a field more, with hostile sequences. */
function poison(value: unknown, kept: ReadonlySet<string>, own: Json): unknown {
  if (typeof value === 'string') return value + EVIL_TEXT;
  if (Array.isArray(value)) return value.map((each) => poison(each, kept, own));
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([key, each]) => [
    key,
    own[key] ?? (kept.has(key) ? each : poison(each, kept, own)),
  ]);
  return { ...Object.fromEntries(fields), [`more${EVIL_TEXT}`]: EVIL_TEXT };
}

const fixture = (path: string): string => readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8');
/** Without the lines that are damaged on purpose. */
const parsed = (text: string): Json[] =>
  text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });

const PI_STATES: readonly Json[] = [
  { type: 'title', v: 1, title: 'Slot', source: 'user' },
  piHeader('p', { title: 'Header', parentSession: '/p/other.jsonl' }),
  piUser('e1', null, 'Go'),
  piEntry('title_change', 'e2', 'e1', { title: 'Changed', source: 'auto' }),
  piEntry('session_info', 'e3', 'e2', { name: 'Named' }),
  piEntry('label', 'e4', 'e3', { targetId: 'e1', label: 'Label' }),
  piEntry('model_change', 'e5', 'e4', { provider: 'anthropic', modelId: 'opus' }),
  piEntry('compaction', 'e6', 'e5', { summary: 'So far', firstKeptEntryId: 'e1', tokensBefore: 1 }),
  piEntry('branch_summary', 'e7', 'e6', { fromId: 'e1', summary: 'Left' }),
  piEntry('custom_message', 'e8', 'e7', { customType: 'note', content: 'Said', display: true }),
  piEntry('unheard_of', 'e9', 'e8', { what: 'is this' }),
];

/**
 * The logs of somebody who was sent files: one of everything that agents write, in copies of which ever more is hostile. Sessions of
 * Claude Code are called `c0d` (demo), `c0t` (tools), `c0c` (commands), those of Pi `p0b` and `p0s`; the number is that of the copy.
 */
export function writeHostile(home: Home): void {
  for (const [copy, kept] of KEPT.entries()) {
    const folder = `.claude/projects/-r${copy}${EVIL_NAME}`;
    const cwd = `/r${copy}${EVIL_NAME}`;
    const claude = (id: string, path: string, lines: readonly Json[]): void => {
      const sessionId = `c${copy}${id}${EVIL_NAME}`;
      const own = copy === KEPT.length - 1 ? {} : { sessionId, cwd };
      const text = lines.map((line) => `${JSON.stringify(poison(line, kept, own))}\n`).join('');
      home.write(`${folder}/${sessionId}${path}`, text);
    };
    for (const { path, text } of demoFiles) {
      const rest = path.replace(/^[^/.]*/, '');
      claude(
        'd',
        rest.replace('5c0071', `5c0071${EVIL_NAME}`),
        path.endsWith('.json') ? [JSON.parse(text)] : parsed(text),
      );
    }
    for (const [id, name] of [
      ['t', 'tools'],
      ['c', 'commands'],
    ] as const)
      claude(id, '.jsonl', parsed(fixture(`claude-${name}/session.jsonl`)));
    for (const [id, lines] of [
      ['b', parsed(fixture('pi-branches/session.jsonl'))],
      ['s', PI_STATES],
    ] as const) {
      const native = `p${copy}${id}${EVIL_NAME}`;
      const told = lines.map((line) => poison(line, kept, line.type === 'session' ? { id: native, cwd } : {}));
      const file = `.pi/agent/sessions/--r${copy}${EVIL_NAME}--/2026-01-01T00-00-00-000Z_${native}.jsonl`;
      home.write(file, told.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
  }
  home.write('.claude/history.jsonl', [
    poison(
      { display: 'Gone', project: '/gone', pastedContents: { 1: { type: 'text', content: 'pasted' } } },
      new Set(),
      {
        sessionId: '',
      },
    ) as object,
    {
      display: `Gone${EVIL_TEXT}`,
      pastedContents: {},
      timestamp: 1_700_000_000_000,
      project: `/g${EVIL_NAME}`,
      sessionId: `gone${EVIL_NAME}`,
    },
  ]);
  // Not a line of JSON: what is wrong with it is told.
  home.write(
    `.claude/projects/-broken${EVIL_NAME}/bad0${EVIL_NAME}.jsonl`,
    `{"type":"user","uuid":${EVIL_TEXT}\n{"type":"user"}\n`,
  );
}
