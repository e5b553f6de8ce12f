import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { SkeinError } from '../model/index.ts';

/** Something that is drawn on a terminal and driven by keys. */
export interface Screen<T> {
  /** The end, when the key means one. */
  press(text: string | undefined, key: Key): { readonly value: T } | null;
  /** Draws itself, for the first time and whenever the terminal has another size. */
  resize(): void;
  remove(): void;
}

export interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
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

export interface Frame {
  readonly lines: readonly string[];
  /** Where the cursor stands in the first line. */
  readonly column: number;
}

/** Draws frames over each other, from the line of the cursor down. */
export class FrameWriter {
  readonly #output: NodeJS.WriteStream;
  #isOpen = true;
  #column = 0;

  constructor(output: NodeJS.WriteStream) {
    this.#output = output;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get size(): { readonly rows: number; readonly columns: number } {
    const { rows = 24, columns = 80 } = this.#output;
    return { rows, columns };
  }

  /** In one write; the cursor ends where typing goes on. */
  draw({ lines, column }: Frame): void {
    if (!this.#isOpen) return;
    const drawn = lines.map((line) => `${line}${CSI}K`).join('\r\n');
    this.#output.write(
      `${CSI}?25l\r${drawn}${CSI}J${CSI}${lines.length - 1}A\r${column > 0 ? `${CSI}${column}C` : ''}${CSI}?25h`,
    );
    this.#column = column;
  }

  /** A terminal that became narrower has wrapped the first line: the cursor may be below its first row. */
  resize(): void {
    const wrapped = Math.floor(this.#column / Math.max(1, this.size.columns));
    if (wrapped > 0) this.#output.write(`${CSI}${wrapped}A`);
  }

  remove(): void {
    if (this.#isOpen) this.#output.write(`\r${CSI}J`);
    this.#isOpen = false;
  }
}

const CSI = '\u001b[';
