import { History } from '../../src/history/index.ts';
import { readRows } from '../../src/library/read-rows.ts';
import { buildNodes, type Label, readLabels, Selector } from '../../src/selector/index.ts';
import { drawScreen, type Frame } from '../../src/tui/draw-screen.ts';
import { TreeScreen } from '../../src/tui/tree-screen.ts';

/** The screen of the session in a file. */
export function openScreen(path: string, labels: ReadonlyMap<string, Label> = new Map()): TreeScreen {
  const [session] = History.openFile(path).projects.flatMap((project) => project.sessions());
  if (!session) throw new Error(`no session in ${path}`);
  const { tree } = session.logs.read();
  const nodes = buildNodes(tree, session.facts);
  const all = new Map([...readLabels(tree, session.facts), ...labels]);
  const selector = new Selector(nodes, readRows(session), { labels: all });
  return new TreeScreen(selector, {
    title: session.title ?? '',
    id: session.id,
    branch: 'Branch here?',
    shows: 'tree',
  });
}

/** Keys by their names; anything else is typed. */
export function pressAll(screen: TreeScreen, ...keys: readonly string[]): void {
  for (const key of keys) {
    if (NAMED.test(key)) screen.press({ name: key, text: '' });
    else for (const text of key) screen.press({ name: '', text });
  }
  screen.selector.finish();
}

const NAMED = /^(up|down|left|right|page(up|down)|home|end|enter|escape|tab|backspace|ctrl-.)$/;

/** What is on the screen; the cursor, where there is one, is an underscore after the text. */
export function shot(screen: TreeScreen, columns: number, rows: number): string {
  const { lines, cursor }: Frame = drawScreen(screen, { columns, rows }, (_styles, text) => text);
  const drawn = lines.map((line, y) => (cursor?.y === y ? `${line}   <- cursor in column ${cursor.x}` : line));
  return `${drawn.map((line) => line.trimEnd()).join('\n')}\n`;
}
