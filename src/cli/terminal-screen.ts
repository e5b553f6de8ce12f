import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { SkeinError } from '../model/index.ts';
import type { Streams } from '../terminal/streams.ts';

/** Something that is drawn on a terminal and driven by keys. */
export interface Screen<T> {
  /** The end, when the key means one. */
  press(text: string | undefined, key: Key): { readonly value: T } | null;
  /** Draws itself, for the first time and whenever the terminal has another size. */
  resize(): void;
  remove(): void;
}

/** Until a key ends it; afterwards the terminal is as it was before. `start` begins what goes on while it is open. */
export async function runScreen<T>(
  screen: Screen<T>,
  { input, output }: Streams,
  start: (fail: (error: unknown) => void) => void = () => undefined,
): Promise<T | null> {
  if (!input.isTTY || !output.isTTY)
    throw new SkeinError('bad_input', 'There is no terminal to pick on: name what you want');
  const { promise, resolve, reject } = Promise.withResolvers<T | null>();
  const { isRaw } = input;
  const onKey = (text: string | undefined, key: Key): void => {
    const done = screen.press(text, key);
    if (done) resolve(done.value);
  };
  const onResize = (): void => screen.resize();
  const onEnd = (): void => resolve(null);
  const stop = (): void => {
    input.off('keypress', onKey).off('end', onEnd).off('error', reject);
    output.off('resize', onResize);
    process.off('exit', stop);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    screen.remove();
    input.setRawMode(isRaw);
    input.pause();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    process.kill(process.pid, signal);
  };

  // Also when something else ends the process: 'exit' comes after an uncaught exception too.
  process.on('exit', stop);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    emitKeypressEvents(input, ESCAPE_SOON);
    input.setRawMode(true);
    input.on('keypress', onKey).on('end', onEnd).on('error', reject);
    output.on('resize', onResize);
    input.resume();
    screen.resize();
    start(reject);
    return await promise;
  } finally {
    stop();
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
/** How long an escape may be the beginning of a key that sends several bytes; the half second Node waits is felt. */
const ESCAPE_SOON = { escapeCodeTimeout: 50 } as unknown as Interface;

/** What a key is called: `up`, `ctrl-n`. */
export const keyName = (key: Key): string => (key.ctrl ? `ctrl-${key.name}` : (key.name ?? ''));

/** Keys that leave without picking. */
export const LEAVE: ReadonlySet<string> = new Set(['escape', 'ctrl-c', 'ctrl-d']);

/** What a key adds to a text; null when it is a command. */
export const typedBy = (text: string | undefined, key: Key): string | null =>
  text !== undefined && !key.ctrl && !key.meta && TYPED.test(text) ? text : null;
const TYPED = /^\P{Cc}+$/u;
