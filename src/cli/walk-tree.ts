import type { Session } from '../history/index.ts';
import { type LogRecord, SkeinError } from '../model/index.ts';
import { keyOf, type Selector } from '../selector/index.ts';
import type { TreeActions } from '../tui/tree-app.ts';
import { TreeScreen } from '../tui/tree-screen.ts';
import { printableLine } from '../views/text/printable.ts';
import { renderRecord } from '../views/text/render-record.ts';
import { branchSession } from './branch-session.ts';
import { setLabel } from './session-labels.ts';
import { recordsOf } from './show/index.ts';
import { selectFrom } from './show/select-from.ts';
import { plural } from './table.ts';

/** The tree on the terminal, until somebody leaves it. Gives what is left to say. */
export async function walkTree(
  session: Session,
  selector: Selector,
  shows: 'tree' | 'prompts',
): Promise<string | null> {
  // The development build of React is several times slower; it is chosen when it is loaded.
  Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? 'production' });
  const { runTree } = await import('../tui/tree-app.ts');
  const isPi = session.agent === 'pi';
  const screen = new TreeScreen(selector, {
    title: session.title ?? '(no title)',
    id: session.id,
    branch: `${isPi ? 'Branch here into a new session file' : 'Convert what leads here into a new Pi session'}?`,
    shows,
  });
  screen.isSearching = selector.query !== '';
  const actions: TreeActions = {
    open: ({ node }) => textFrom(session, recordOf(node)),
    branch: async ({ node }) => {
      const { path, losses } = await branchSession(session, recordOf(node), { annotation: node.annotation });
      return `Written: ${path}${lostText(losses.length)}`;
    },
    label: async ({ node, text }) => {
      const label = printableLine(text);
      const time = Date.now();
      const place = await setLabel(session, node, label, time);
      selector.setLabel(keyOf(node) ?? '', label === '' ? null : { text: label, time });
      return `${label === '' ? 'Label taken away' : `Labelled [${label}]`}, in ${place.path ?? 'notes.db'}`;
    },
  };
  return runTree(screen, shows === 'tree' ? actions : { ...actions, choose: branchBefore(session) });
}

const lostText = (sorts: number): string =>
  sorts === 0 ? '' : ` (${plural(sorts, 'sort')} of things could not be carried: "skein branch" lists them)`;

/** As `/branch` does: what leads to a prompt becomes a session, and the prompt is there to be typed again. */
const branchBefore =
  (session: Session): NonNullable<TreeActions['choose']> =>
  async ({ node }) => {
    const record = recordOf(node);
    const { path, losses } = await branchSession(session, record, { before: true });
    return `${path}${lostText(losses.length)}\n\n${session.textOf(record.id)}`;
  };

function recordOf({ record }: { readonly record: LogRecord | null }): LogRecord {
  if (!record) throw new SkeinError('bad_input', 'This stands before the first record');
  return record;
}

/** The thread through a record, from there on, as `skein show --at` writes it. */
function* textFrom(session: Session, from: LogRecord): Generator<string> {
  let between = '';
  // What is hidden is in no thread.
  for (const record of from.hidden ? [from] : recordsOf(selectFrom(session, from))) {
    const text = renderRecord({ record, content: session.content(record) }, { verbose: false });
    if (text === '') continue;
    yield `${between}${text}\n`;
    between = '\n';
  }
}
