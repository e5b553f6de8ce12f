import { emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { styleText } from 'node:util';
import { SkeinError } from '../model/index.ts';
import { eraseCharacter, eraseWord } from '../tui/edit-line.ts';
import { printableLine } from '../views/text/printable.ts';
import { drawPicker, FRAME_LINES } from './draw-picker.ts';
import { addChoices, type Choice, EMPTY, moveBy, type PickerState, setPage, setQuery } from './picker-state.ts';

export type { Choice } from './picker-state.ts';

export interface PickOptions {
  readonly title: string;
  readonly input?: NodeJS.ReadStream;
  readonly output?: NodeJS.WriteStream;
}

/**
 * A list on the terminal to pick from: typing filters it, Enter gives the value, Escape null. Choices that come later are added while
 * it is open. Afterwards the terminal is as it was before.
 */
export async function pick(
  choices: AsyncIterable<Choice> | readonly Choice[],
  { title, input = process.stdin, output = process.stderr }: PickOptions,
): Promise<string | null> {
  if (!input.isTTY || !output.isTTY)
    throw new SkeinError('bad_input', 'There is no terminal to pick on: name what you want');
  const picker = new Picker(printableLine(title), output);
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const { isRaw } = input;
  const onKey = (text: string | undefined, key: Key): void => {
    const done = picker.press(text, key);
    if (done) resolve(done.value);
  };
  const onResize = (): void => picker.resize();
  const onEnd = (): void => resolve(null);
  const stop = (): void => {
    input.off('keypress', onKey).off('end', onEnd).off('error', reject);
    output.off('resize', onResize);
    process.off('exit', stop);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    picker.remove();
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
    picker.resize();
    picker.read(choices).catch(reject);
    return await promise;
  } finally {
    stop();
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
/** How long an escape may be the beginning of a key that sends several bytes; the half second Node waits is felt. */
const ESCAPE_SOON = { escapeCodeTimeout: 50 } as unknown as Interface;

const MOST_ROWS = 15;
/** Rows of the terminal the list leaves free; its own two other lines are among them. */
const FREE_ROWS = FRAME_LINES + 1;
/** While choices arrive: how often the screen and the keys get their turn. */
const TURN = 30;

class Picker {
  readonly #title: string;
  readonly #output: NodeJS.WriteStream;
  #state: PickerState = EMPTY;
  #isReading = true;
  #isOpen = true;
  /** Where the cursor stands in the prompt line. */
  #column = 0;

  constructor(title: string, output: NodeJS.WriteStream) {
    this.#title = title;
    this.#output = output;
  }

  async read(choices: AsyncIterable<Choice> | readonly Choice[]): Promise<void> {
    let waiting: Choice[] = [];
    let turn = performance.now();
    const show = (): void => {
      this.#show(addChoices(this.#state, waiting));
      waiting = [];
      turn = performance.now();
    };
    // A slow source shows what it has; a fast one, which never waits, must not keep keys from being read.
    const timer = setInterval(() => waiting.length > 0 && show(), TURN).unref();
    try {
      for await (const choice of choices) {
        if (!this.#isOpen) return;
        waiting.push(choice);
        if (performance.now() - turn < TURN) continue;
        show();
        await nextTurn();
      }
      this.#isReading = false;
      show();
    } finally {
      clearInterval(timer);
    }
  }

  /** The end, when the key means one. */
  press(text: string | undefined, key: Key): { readonly value: string | null } | null {
    const name = key.ctrl ? `ctrl-${key.name}` : (key.name ?? '');
    if (LEAVE.has(name)) return { value: null };
    const state = this.#state;
    if (name === 'return' || name === 'enter') {
      const entry = state.matches[state.selected];
      return entry ? { value: entry.value } : null;
    }
    const action = ACTIONS[name];
    if (action) this.#show(action(state));
    else if (text !== undefined && !key.ctrl && !key.meta && TYPED.test(text))
      this.#show(setQuery(state, state.query + text));
    return null;
  }

  resize(): void {
    const { rows = 24, columns = 80 } = this.#output;
    // A terminal that became narrower has wrapped the prompt: the cursor may be below its first row.
    const wrapped = Math.floor(this.#column / Math.max(1, columns));
    if (wrapped > 0) this.#output.write(`${CSI}${wrapped}A`);
    this.#show(setPage(this.#state, Math.min(MOST_ROWS, rows - FREE_ROWS)));
  }

  remove(): void {
    if (this.#isOpen) this.#output.write(`\r${CSI}J`);
    this.#isOpen = false;
  }

  /** From the prompt down, in one write; the cursor ends where typing goes on. */
  #show(state: PickerState): void {
    if (!this.#isOpen) return;
    this.#state = state;
    const { lines, column } = drawPicker(state, {
      title: this.#title,
      columns: this.#output.columns ?? 80,
      isReading: this.#isReading,
      paint: (styles, text) =>
        styles.length === 0 || text === '' ? text : styleText([...styles], text, { stream: this.#output }),
    });
    const drawn = lines.map((line) => `${line}${CSI}K`).join('\r\n');
    this.#output.write(
      `${CSI}?25l\r${drawn}${CSI}J${CSI}${lines.length - 1}A\r${column > 0 ? `${CSI}${column}C` : ''}${CSI}?25h`,
    );
    this.#column = column;
  }
}

const CSI = '\u001b[';
const LEAVE: ReadonlySet<string> = new Set(['escape', 'ctrl-c', 'ctrl-d']);
const TYPED = /^\P{Cc}+$/u;

const ACTIONS: { readonly [key: string]: ((state: PickerState) => PickerState) | undefined } = {
  up: (state) => moveBy(state, -1),
  'ctrl-p': (state) => moveBy(state, -1),
  down: (state) => moveBy(state, 1),
  'ctrl-n': (state) => moveBy(state, 1),
  pageup: (state) => moveBy(state, -state.page),
  pagedown: (state) => moveBy(state, state.page),
  home: (state) => moveBy(state, -Infinity),
  end: (state) => moveBy(state, Infinity),
  backspace: (state) => setQuery(state, eraseCharacter(state.query)),
  'ctrl-u': (state) => setQuery(state, ''),
  'ctrl-w': (state) => setQuery(state, eraseWord(state.query)),
};
