/** Threads of Claude Code as sessions of Pi, opened by the real Pi. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { History, type Session } from '../../src/history/index.ts';
import { convertThread, SessionManager, saveSession } from '../../src/journal/index.ts';
import type { LogRecord } from '../../src/model/index.ts';
import { corpusSessions, hasCorpus } from '../kit/corpus.ts';
import { openHome } from '../kit/home.ts';
import { Folder, wordOf } from '../kit/journal.ts';
import { installPi, type Pi } from '../kit/pi.ts';

const found = await installPi();
if (!found) console.warn('Branches are not opened in Pi: it is not installed, and `npm ci` did not install it.');
const pi = found as Pi;

const folder = new Folder();
const home = openHome();
afterAll(() => home.remove());

const fixture = (name: string) => join(import.meta.dirname, '../fixtures', name, 'session.jsonl');
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
/** oh-my-pi's modes and rules are ours alone. */
const contextOf = (session: SessionManager) => {
  const { messages, model, thinkingLevel } = session.buildSessionContext();
  return plain({ messages, model, thinkingLevel });
};

describe.skipIf(!found)('J16: the real Pi opens what skein branch writes', () => {
  test.each(['claude-tools', 'claude-commands'])('%s, with the context we build from it', (name) => {
    const file = join(folder.dir(), 'branch.jsonl');
    expect(home.skein(['branch', fixture(name), '--to', 'pi', '-o', file])).toMatchObject({ code: 0 });
    const [ours, theirs] = [SessionManager.open(file), pi.SessionManager.open(file)];
    expect(contextOf(theirs)).toEqual(contextOf(ours));
    expect(plain(theirs.getTree())).toEqual(plain(ours.getTree()));
    expect(plain(pi.convertToLlm(theirs.buildSessionContext().messages))).not.toEqual([]);
    // And it goes on there.
    const id = theirs.appendMessage({ role: 'user', content: 'from Pi', timestamp: 1 });
    expect(SessionManager.open(file).getEntry(id)).toMatchObject({ message: { content: 'from Pi' } });
  });

  test('claude-tools, message by message', () => {
    const file = join(folder.dir(), 'branch.jsonl');
    home.skein(['branch', fixture('claude-tools'), '--at', 'k06', '-o', file]);
    const messages = pi.SessionManager.open(file).buildSessionContext().messages;
    expect(messages.map((message) => [message.role, wordOf(message).split('\n')[0]])).toEqual([
      ['user', 'The kiosk shows prices without tax.'],
      ['assistant', 'thinking I look for where prices are made. toolCall'],
      ['toolResult', 'Found 2 files'],
      ['assistant', 'toolCall toolCall'],
      ['toolResult', expect.any(String)],
      ['toolResult', expect.any(String)],
    ]);
  });
});

/** What a reader sees of records, in whatever format they are: word by word, because Pi has one output where Claude Code has two. */
function wordsOf(session: Session, records: Iterable<LogRecord>): string[] {
  const texts = [...records].flatMap((record) => {
    const { own, replies } = session.content(record);
    const said = [...own, ...(record.kind === 'compaction' ? [] : replies)];
    return said.flatMap((block) => {
      if (block.type === 'command') return [`${block.name} ${block.args}`.trim()];
      if (block.type === 'call') return [`call ${block.name}`];
      const isText = block.type === 'text' || block.type === 'output' || block.type === 'thinking';
      return isText && block.text.trim() !== '' && record.kind !== 'compaction' ? [block.text.trim()] : [];
    });
  });
  return texts.join('\n').split(/\s+/);
}

test.skipIf(!hasCorpus)(
  'J16 every thread of the corpus reads back with the same texts, and Pi agrees about its context',
  () => {
    let threads = 0;
    for (const session of corpusSessions().filter(({ agent }) => agent === 'claude-code')) {
      for (const thread of session.threads) {
        const records = [...thread.records()];
        const { header, entries } = convertThread({
          records: records.map((record) => ({ record, content: session.content(record) })),
          cwd: '/p',
          title: session.title,
          origin: { agent: session.agent, session: session.id },
          labels: new Map(),
        });
        const path = saveSession({ folder: folder.dir() }, header, entries);
        const [back] = History.openFile(path).projects.flatMap((project) => project.sessions());
        expect(back && wordsOf(back, back.defaultThread?.records() ?? [])).toEqual(wordsOf(session, records));
        if (found) expect(contextOf(pi.SessionManager.open(path))).toEqual(contextOf(SessionManager.open(path)));
        threads++;
      }
    }
    expect(threads).toBeGreaterThan(20);
  },
);
