import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { History } from '../../src/history/index.ts';
import { bytesOf, factsOf, user } from '../kit/transcript.ts';

function historyOf(...paths: readonly string[]): History {
  const files = paths.map((path) => {
    const bytes = path.startsWith('empty') ? new Uint8Array(0) : bytesOf([user('u1', null)]);
    return { facts: factsOf(claudeCode, path), path: `/p/${path}`, size: bytes.length, modified: 0, bytes };
  });
  return History.ofGroup({ id: 'p', path: '/p', names: ['p'], logs: [{ format: claudeCode, files }] });
}

const locate = (history: History, text: string): string | undefined => history.locate(text)?.file.facts.native;

test('H22 the only session of a project is located by a part of its id or its path, without reading', () => {
  const history = historyOf('s1.jsonl', 's1/subagents/agent-g1.jsonl', 'empty.jsonl');
  expect(locate(history, 's1')).toBe('s1');
  expect(locate(history, '1')).toBe('s1');
  expect(locate(history, '/p/s1.jsonl')).toBe('s1');
});

test('where several files may be one session, or another is meant, reading has to tell', () => {
  expect(locate(historyOf('s1.jsonl', 's2.jsonl'), 's1')).toBeUndefined();
  expect(locate(historyOf('s1.jsonl', 's2.jsonl'), '/p/s1.jsonl')).toBeUndefined();
  expect(locate(historyOf('s1.jsonl', 's9/subagents/agent-g1.jsonl'), 's')).toBeUndefined();
  expect(locate(historyOf('s1.jsonl', 's9/subagents/agent-g1.jsonl'), 's9')).toBeUndefined();
  expect(locate(historyOf('s1.jsonl'), 'x')).toBeUndefined();
  expect(locate(historyOf('s1.jsonl', 'empty.jsonl'), 'empty')).toBeUndefined();
});
