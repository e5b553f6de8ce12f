import type { Key } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FrameWriter } from '../terminal/frame-writer.ts';
import { listStreams } from '../terminal/streams.ts';
import { paintFor } from '../terminal/style.ts';
import { eraseCharacter, eraseWord } from '../tui/edit-line.ts';
import { printableLine } from '../views/text/printable.ts';
import { drawPicker, FRAME_LINES } from './draw-picker.ts';
import { addChoices, type Choice, EMPTY, moveBy, type PickerState, setPage, setQuery } from './picker-state.ts';
import { keyName, LEAVE, runScreen, type Screen, typedBy } from './terminal-screen.ts';

export type { Choice } from './picker-state.ts';

export interface PickOptions {
  readonly title: string;
  readonly input?: NodeJS.ReadStream;
  readonly output?: NodeJS.WriteStream;
}

/**
 * A list on the terminal to pick from: typing filters it, Enter gives the value, Escape null. Choices that come later are added while
 * it is open.
 */
export async function pick(
  choices: AsyncIterable<Choice> | readonly Choice[],
  { title, input = listStreams().input, output = listStreams().output }: PickOptions,
): Promise<string | null> {
  const picker = new Picker(printableLine(title), output);
  return runScreen(picker, { input, output }, (fail) => picker.read(choices).catch(fail));
}

const MOST_ROWS = 15;
/** Rows of the terminal the list leaves free; its own two other lines are among them. */
const FREE_ROWS = FRAME_LINES + 1;
/** While choices arrive: how often the screen and the keys get their turn. */
const TURN = 30;

class Picker implements Screen<string | null> {
  readonly #title: string;
  readonly #output: NodeJS.WriteStream;
  readonly #frames: FrameWriter;
  #state: PickerState = EMPTY;
  #isReading = true;

  constructor(title: string, output: NodeJS.WriteStream) {
    this.#title = title;
    this.#output = output;
    this.#frames = new FrameWriter(output);
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
        if (!this.#frames.isOpen) return;
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

  press(text: string | undefined, key: Key): { readonly value: string | null } | null {
    const name = keyName(key);
    if (LEAVE.has(name)) return { value: null };
    const state = this.#state;
    if (name === 'return' || name === 'enter') {
      const entry = state.matches[state.selected];
      return entry ? { value: entry.value } : null;
    }
    const action = ACTIONS[name];
    const typed = typedBy(text, key);
    if (action) this.#show(action(state));
    else if (typed !== null) this.#show(setQuery(state, state.query + typed));
    return null;
  }

  resize(): void {
    this.#frames.resize();
    this.#show(setPage(this.#state, Math.min(MOST_ROWS, this.#frames.size.rows - FREE_ROWS)));
  }

  remove(): void {
    this.#frames.remove();
  }

  #show(state: PickerState): void {
    this.#state = state;
    this.#frames.draw(
      drawPicker(state, {
        title: this.#title,
        columns: this.#frames.size.columns,
        isReading: this.#isReading,
        paint: paintFor(this.#output),
      }),
    );
  }
}

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
