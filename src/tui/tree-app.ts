import { Box, render, Text, useApp, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { createElement, type ReactNode, useEffect, useReducer, useRef } from 'react';
import { type Streams, screenStreams } from '../terminal/streams.ts';
import { lineForTerminal, type Paint, paintFor } from '../terminal/style.ts';
import { drawScreen } from './draw-screen.ts';
import { readKeys } from './keys.ts';
import { pageText } from './page-text.ts';
import type { TreeScreen, Wish } from './tree-screen.ts';

/** What is done when the screen is asked for it. A text that comes back is said in the status line. */
export interface TreeActions {
  /** What to read from a node on. */
  open(wish: Wish & { to: 'open' }): Iterable<string>;
  /** Instead: do it and leave with what it says. */
  choose?(wish: Wish & { to: 'open' }): Promise<string>;
  label(wish: Wish & { to: 'label' }): Promise<string | null>;
  branch(wish: Wish & { to: 'branch' }): Promise<string>;
}

/** Shows the tree until it is left. Gives the last word, which stays on the terminal; null: nothing. */
export async function runTree(
  screen: TreeScreen,
  actions: TreeActions,
  { input, output }: Streams = screenStreams(),
): Promise<string | null> {
  const app = render(createElement(TreeApp, { screen, actions, paint: paintFor(output) }), {
    stdin: input,
    stdout: output,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    // Whoever calls has looked.
    interactive: true,
    maxFps: 100,
  });
  const said = await app.waitUntilExit();
  return typeof said === 'string' ? said : null;
}

/** Between two slices of long work keys get their turn. */
const SLICE_MS = 8;
const REDRAW_MS = 60;

interface Props {
  readonly screen: TreeScreen;
  readonly actions: TreeActions;
  readonly paint: Paint;
}

function TreeApp({ screen, actions, paint }: Props): ReactNode {
  const { exit, suspendTerminal } = useApp();
  const { setCursorPosition } = useCursor();
  const size = useWindowSize();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const work = useWork(screen, redraw);
  const isBusy = useRef(false);

  const grant = async (wish: Wish): Promise<void> => {
    if (wish.to === 'leave') return exit(null);
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      if (wish.to === 'open') {
        const chosen = { to: 'open', node: wish.node } as const;
        if (actions.choose) return exit(await actions.choose(chosen));
        await suspendTerminal(async () => {
          screen.message = await pageText(actions.open(chosen));
        });
      } else if (wish.to === 'label') screen.message = await actions.label({ ...wish, to: 'label' });
      else screen.message = await actions.branch({ to: 'branch', node: wish.node });
    } catch (error) {
      screen.message = error instanceof Error ? error.message : String(error);
    } finally {
      isBusy.current = false;
      redraw();
    }
  };
  useInput((input, key) => {
    const wishes = readKeys(input, key).flatMap((pressed) => screen.press(pressed) ?? []);
    redraw();
    work();
    for (const wish of wishes) void grant(wish);
  });
  usePaste((text) => {
    screen.paste(text);
    redraw();
    work();
  });
  const { lines, cursor } = drawScreen(screen, size, paint);
  setCursorPosition(cursor ?? undefined);
  return createElement(
    Box,
    { flexDirection: 'column', width: size.columns, height: lines.length },
    // A line is where it is: there is nothing else to know it by.
    lines.map((line, at) =>
      createElement(Text, { key: at, wrap: 'truncate' }, line === '' ? ' ' : lineForTerminal(line)),
    ),
  );
}

/** Does what is left to do, slice by slice; a call begins it again. */
function useWork({ selector }: TreeScreen, redraw: () => void): () => void {
  const timer = useRef<NodeJS.Timeout | null>(null);
  const drawn = useRef(0);
  const slice = (): void => {
    timer.current = null;
    const start = performance.now();
    const isMore = selector.work(() => performance.now() - start > SLICE_MS);
    if (isMore) timer.current = setTimeout(slice, 1);
    if (isMore && performance.now() - drawn.current < REDRAW_MS) return;
    drawn.current = performance.now();
    redraw();
  };
  const begin = (): void => {
    timer.current ??= setTimeout(slice, 1);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens.
  useEffect(() => {
    begin();
    return () => void (timer.current && clearTimeout(timer.current));
  }, []);
  return begin;
}
