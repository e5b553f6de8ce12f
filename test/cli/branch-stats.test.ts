import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import { assistant, piAssistant, piEntry, piHeader, piUser, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());

const usage = {
  input_tokens: 5,
  output_tokens: 7,
  cache_creation_input_tokens: 9,
  cache_creation: { ephemeral_1h_input_tokens: 4 },
};
const claude = home.write('.claude/projects/-r/cccc1111.jsonl', [
  user('u1', null, 'hello', { sessionId: 'cccc1111' }),
  {
    ...assistant('a1', 'u1', 'hi', { usage }),
    message: { ...(assistant('a1', 'u1', 'hi', { usage }).message as object), model: 'claude-opus-4-5' },
  },
]);
const stripped = (line: object): object => {
  const { id: _id, parentId: _parent, ...rest } = line as Record<string, unknown>;
  return rest;
};
const old = home.write('.pi/agent/sessions/--r--/2026-01-01T00-00-00-000Z_dddd1111.jsonl', [
  {
    type: 'session',
    id: 'dddd1111',
    timestamp: '2026-01-01T00:00:00Z',
    cwd: '/r',
    provider: 'p',
    modelId: 'm',
    thinkingLevel: 'off',
  },
  stripped(piUser('x', null, 'hello')),
  stripped(piAssistant('y', 'x', 'hi')),
  stripped(piAssistant('z', 'y', 'more')),
]);
const today = home.write('.pi/agent/sessions/--r--/2026-01-01T00-00-00-000Z_eeee1111.jsonl', [
  piHeader('eeee1111'),
  piUser('e1', null, 'hello'),
  piAssistant('e2', 'e1', 'hi'),
  piEntry('model_change', 'e3', 'e2', { provider: 'p', modelId: 'm' }),
  piAssistant('e4', 'e3', 'more'),
]);

const stats = (by: string) => JSON.parse(home.skein(['stats', '--by', by, '--json']).out);
const all = () => ['session', 'project', 'model', 'day'].map(stats);

test.each([
  ['Pi, version 1', old],
  ['Pi, version 3', today],
  ['Claude Code', claude],
])(
  'U2 after a branch of a session of %s the statistics are what they were, with the original and without it',
  (_what, file) => {
    const before = all();
    const totals = before.map(({ total, totals }) => total ?? totals);
    const { out, code } = home.skein(['branch', file, '--json']);
    expect([code, JSON.parse(out).entries > 0]).toEqual([0, true]);
    expect(all()).toEqual(before);
    rmSync(file);
    expect(all().map(({ total, totals }) => total ?? totals)).toEqual(totals);
  },
);
