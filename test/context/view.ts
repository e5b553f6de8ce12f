import {
  buildContext,
  type ContextPart,
  type ContextView,
  type ContextWindow,
  windowAt,
} from '../../src/context/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { Format } from '../../src/model/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import { contentFrom, saidIn } from '../kit/content.ts';
import { claudeTree, onlySession, piTree } from '../kit/transcript.ts';

interface Context {
  readonly tree: Tree;
  readonly view: ContextView;
  /** The window after a record; without one at the end. */
  at(record?: string): ContextWindow;
}

function contextOf(format: Format, tree: Tree, lines: readonly object[], thread?: string): Context {
  const files = { 's.jsonl': lines };
  const said = saidIn(format, files);
  const session = onlySession(tree);
  const named = thread ?? session.defaultThread ?? '';
  const view = buildContext(tree, session.id, named, contentFrom(format, files), { opening: ({ ref }) => said(ref) });
  const at = (record?: string): ContextWindow => {
    const window = windowAt(view, tree, record ?? tree.path(session.id, named).at(-1) ?? '');
    if (!window) throw new Error(`${record} is not on the thread`);
    return window;
  };
  return { tree, view, at };
}

/** Of the file `s.jsonl`. */
export const claudeContext = (lines: readonly object[], thread?: string): Context =>
  contextOf(claudeCode, claudeTree(lines), lines, thread);
export const piContext = (lines: readonly object[], thread?: string): Context =>
  contextOf(pi, piTree(lines), lines, thread);

/** `record type category tokens`, one line each. */
export const tell = (parts: readonly ContextPart[]): string[] =>
  parts.map(({ record, type, category, tokens }) => `${record} ${type} ${category} ${tokens}`);
