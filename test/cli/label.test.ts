import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Home, openHome } from '../kit/home.ts';
import { assistant, piHeader, piUser, user } from '../kit/transcript.ts';

let home: Home;
beforeAll(() => {
  home = openHome();
  home.write('.claude/projects/-r/aaaa1111.jsonl', [
    user('u1', null, 'begin', { timestamp: '2026-03-01T10:00:00.000Z' }),
    assistant('a1', 'u1', 'ok', { timestamp: '2026-03-01T10:01:00.000Z' }),
    user('u2', 'a1', 'one way', { timestamp: '2026-03-01T10:02:00.000Z' }),
    user('u3', 'a1', 'another way', { timestamp: '2026-03-01T10:03:00.000Z' }),
  ]);
  home.write('.pi/agent/sessions/--r--/2026-03-05T00-00-00-000Z_pppp2222.jsonl', [
    piHeader('pppp2222', { cwd: '/r' }),
    piUser('e1', null, 'plant sage'),
  ]);
});
afterAll(() => home.remove());

test('J16 without labels there is nothing to list', () => {
  expect(home.skein(['label'])).toMatchObject({ out: '', code: 1 });
  expect(home.skein(['label', '--clear'])).toMatchObject({ out: '', code: 2 });
});

test('J16 labels are listed, those of notes and those in logs', () => {
  home.skein(['label', 'aaaa', 'u2', 'good']);
  home.skein(['label', 'pppp', 'e1', 'planted']);
  const { out, code } = home.skein(['label']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^SINCE +SESSION +RECORD +LABEL\n.* pppp2222 +e1 +\[planted\]\n.* aaaa1111 +u2 +\[good\]\n\n2 labels\n$/,
  );
  expect(JSON.parse(home.skein(['label', 'aaaa', '--json']).out)).toEqual({
    items: [{ session_id: 'aaaa1111', uuid: 'u2', label: 'good', labeled_at: expect.any(String) }],
    total: 1,
  });
});

test('J16 a label stands beside its record in the text, and beside its thread', () => {
  const text = home.skein(['show', 'aaaa', '--thread', 'u2']).out;
  expect(text).toContain('[2026-03-01 10:00] <User> begin\n');
  expect(text).toContain('[2026-03-01 10:02] <User> [good] one way\n');
  expect(home.skein(['show', 'pppp']).out).toContain('<User> [planted] plant sage\n');
  expect(home.skein(['threads', 'aaaa']).out).toMatch(/ {2}\[good\] begin → one way\n/);
  expect(home.skein(['threads', 'aaaa']).out).toMatch(/ {2}another way\n/);
});

test('J16 a label stands there too where nothing else of its record is shown', () => {
  const thought = [{ type: 'thinking', thinking: 'hm', signature: 'x' }];
  home.write('.claude/projects/-r/bbbb1111.jsonl', [
    user('v1', null, 'begin', { timestamp: '2026-03-01T10:00:00.000Z' }),
    assistant('b1', 'v1', thought, { timestamp: '2026-03-01T10:01:00.000Z' }),
    user('v2', 'b1', 'go on', { timestamp: '2026-03-01T10:02:00.000Z' }),
  ]);
  expect(home.skein(['label', 'bbbb', 'b1', 'turning point']).code).toBe(0);
  expect(home.skein(['show', 'bbbb']).out).toContain('\n[2026-03-01 10:01] <Assistant> [turning point]\n');
  expect(home.skein(['show', 'bbbb', '--verbose']).out).toContain('<Assistant> [turning point] 💭 hm\n');
});

test('J16 a label before a fork stands beside each thread, in the order of the way', () => {
  home.skein(['label', 'aaaa', 'u1', 'first']);
  const { out } = home.skein(['threads', 'aaaa']);
  expect(out).toMatch(/ {2}\[first\] \[good\] begin → one way\n/);
  expect(out).toMatch(/ {2}\[first\] another way\n/);
});

test('J16 labels of a long log of Pi stand beside their records too', () => {
  home.write('.pi/agent/sessions/--r--/2026-03-06T00-00-00-000Z_llll3333.jsonl', [
    piHeader('llll3333', { cwd: '/r' }),
    piUser('e1', null, 'short'),
    piUser('e2', 'e1', 'x'.repeat(9 * 1024 * 1024)),
    { type: 'label', id: 'e3', parentId: 'e2', timestamp: '2026-03-06T00:00:00.000Z', targetId: 'e1', label: 'here' },
  ]);
  expect(home.skein(['show', 'llll']).out.slice(0, 60)).toContain('<User> [here] short\n');
});
