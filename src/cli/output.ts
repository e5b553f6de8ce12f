import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { type Finding, SkeinError } from '../model/index.ts';
import { print, printed } from '../terminal/output.ts';
import { withoutStyle } from '../terminal/style.ts';
import { endWithWarnings, jsonText } from '../views/json/index.ts';

/** Where a command writes: the terminal or pipe, or the file of `-o`. */
export interface Output {
  /** How wide the terminal is that a person reads it on; null: it goes to a pipe or file. */
  readonly columns: number | null;
  write(text: string): void;
  /** What to wait for before more is written, when the reader is slower than we are; null: nothing. */
  drained(): Promise<void> | null;
  close(): void | Promise<void>;
}

/** `protect`: files that are never written to, whoever asks. */
export function openOutput(path: string | undefined, protect: () => readonly string[] = () => []): Output {
  if (path === undefined) return standardOutput;
  const place = placeOf(path);
  if (place !== null && protect().some((each) => placeOf(each) === place))
    throw new SkeinError('bad_input', `${path} is a log of an agent; Skein does not write to it`);
  const orTell = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw new SkeinError('unreadable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
    }
  };
  const handle = orTell(() => openSync(path, 'w', 0o600));
  return {
    columns: null,
    write: (text) => void orTell(() => writeSync(handle, withoutStyle(text))),
    drained: () => null,
    close: () => closeSync(handle),
  };
}

export const terminalColumns = (): number | null => (process.stdout.isTTY ? process.stdout.columns || 80 : null);

const standardOutput: Output = {
  get columns() {
    return terminalColumns();
  },
  write: print,
  drained: printed,
  close: () => undefined,
};

/** The same for every name a file has, links of both sorts included. */
function placeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}

export interface ListOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** A list for programs: `{ "items": [...], "total" }`, or one item per line. An empty one is nothing found (P3). */
export function writeList(
  output: Output,
  items: Iterable<object>,
  total: number,
  { jsonl }: ListOptions,
  warnings: () => readonly Finding[] = () => [],
): void {
  if (total === 0) process.exitCode = 1;
  if (jsonl) {
    for (const item of items) output.write(`${jsonText(item)}\n`);
    return;
  }
  let before = '{"items":[\n';
  for (const item of items) {
    output.write(before + jsonText(item));
    before = ',\n';
  }
  output.write(`${before === ',\n' ? '\n' : '{"items":['}],"total":${total}${endWithWarnings(warnings())}`);
}
