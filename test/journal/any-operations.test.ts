import { basename } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSessionContext, SessionManager, type SessionTreeNode } from '../../src/journal/index.ts';
import { Folder, linesIn } from '../kit/journal.ts';
import { operations, perform } from '../kit/random-journal.ts';
import { piTree } from '../kit/transcript.ts';

const folder = new Folder();
const dir = folder.dir();

/** As it will be read again: without what is undefined. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));

function reopen(session: SessionManager): SessionManager {
  session.close();
  return SessionManager.open(session.getSessionFile() ?? '');
}

const stateOf = (session: SessionManager) =>
  plain({
    header: session.getHeader(),
    entries: session.getEntries(),
    tree: flat(session.getTree()),
    labels: session.getEntries().map(({ id }) => session.getLabel(id)),
    children: session.getEntries().map(({ id }) => session.getChildren(id).map((child) => child.id)),
    leaf: session.getLeafId(),
    name: session.getSessionName(),
    context: session.buildSessionContext(),
    entriesInContext: session.buildContextEntries(),
  });

function flat(roots: readonly SessionTreeNode[]): unknown[] {
  return roots.map(({ entry, children, ...label }) => [entry.id, label, flat(children)]);
}

test('J1–J9: whatever is done, a session that is opened again has the same tree, labels, leaf and context', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      let session = SessionManager.create('/p', dir);
      for (const step of steps) session = perform(session, step, reopen);
      const before = plain(session.buildSessionContext());
      session.close();
      const again = SessionManager.open(session.getSessionFile() ?? '');
      expect(stateOf(again)).toEqual(stateOf(session));
      expect(plain(again.buildSessionContext())).toEqual(before);
      expect(plain(buildSessionContext(again.getEntries(), again.getLeafId()))).toEqual(before);
      expect(again.getFindings().filter(({ message }) => !message.startsWith('The first kept entry'))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('J16a: whatever is done, the file reads as the same records in the one tree over all formats', () => {
  fc.assert(
    fc.property(operations, (steps) => {
      let session = SessionManager.create('/p', dir);
      for (const step of steps) session = perform(session, step, reopen);
      const tree = piTree({ [basename(session.getSessionFile() ?? '')]: linesIn(session.getSessionFile()) });
      const id = session.getSessionId();
      const expected = session
        .getEntries()
        .filter(isRecord)
        .map((entry) => {
          const above = session.getBranch(entry.id).slice(0, -1).findLast(isRecord);
          return [`${id}/${entry.id}`, above ? `${id}/${above.id}` : null];
        });
      const found = [...tree.allRecords()].map((record) => [record.id, record.parent]);
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 150 },
  );
});

/** A result belongs to its call; settings and labels are annotations. */
function isRecord(entry: { type: string; message?: { role: string } }): boolean {
  if (entry.type === 'message') return entry.message?.role !== 'toolResult';
  return ['custom_message', 'compaction', 'branch_summary'].includes(entry.type);
}
