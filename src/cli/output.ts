import { closeSync, openSync, realpathSync, writeSync } from 'node:fs';
import { SkeinError } from '../model/index.ts';

/** Where a command writes: the terminal or pipe, or the file of `-o`. */
export interface Output {
  write(text: string): void;
  /** What to wait for before more is written, when the reader is slower than we are; null: nothing. */
  drained(): Promise<void> | null;
  close(): void;
}

/** `protect`: files that are never written to, whoever asks. */
export function openOutput(path: string | undefined, protect: () => readonly string[] = () => []): Output {
  if (path === undefined) return standardOutput;
  const real = realPath(path);
  if (real !== null && protect().some((each) => realPath(each) === real))
    throw new SkeinError('bad_input', `${path} is a log of an agent; Skein does not write to it`);
  let handle: number;
  try {
    handle = openSync(path, 'w', 0o600);
  } catch (error) {
    throw new SkeinError('unreadable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
  }
  return {
    write: (text) => void writeSync(handle, text),
    drained: () => null,
    close: () => closeSync(handle),
  };
}

const standardOutput: Output = {
  write: (text) => void process.stdout.write(text),
  // Only then it is on its way: a program that goes on working writes no more to a pipe that was full once.
  drained: () =>
    process.stdout.writableLength === 0
      ? null
      : new Promise((resolve) => void process.stdout.write('', () => resolve())),
  close: () => undefined,
};

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

export interface ListOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** A list for programs: `{ "items": [...], "total" }`, or one item per line. */
export function writeList(output: Output, items: Iterable<object>, total: number, { jsonl }: ListOptions): void {
  if (jsonl) {
    for (const item of items) output.write(`${JSON.stringify(item)}\n`);
    return;
  }
  let before = '{"items":[\n';
  for (const item of items) {
    output.write(before + JSON.stringify(item));
    before = ',\n';
  }
  output.write(`${before === ',\n' ? '\n' : '{"items":['}],"total":${total}}\n`);
}
