import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { type Finding, SkeinError } from '../model/index.ts';
import { print, printed } from '../terminal/output.ts';
import { withoutStyle } from '../terminal/style.ts';
import { endWithWarnings, jsonText } from '../views/json/index.ts';
import { targetOf } from './agent-places.ts';

/** Where a command writes: the terminal or pipe, or the file of `-o`. */
export interface Output {
  /** How wide the terminal is that a person reads it on; null: it goes to a pipe or file. */
  readonly columns: number | null;
  write(text: string): void;
  /** What to wait for before more is written, when the reader is slower than we are; null: nothing. */
  drained(): Promise<void> | null;
  /** `isWhole`: everything was written; else a file stays as it was before. */
  close(isWhole: boolean): void | Promise<void>;
}

/** `refuse`: throws where nothing may be written to. */
export function openOutput(path: string | undefined, refuse: (path: string) => void = () => undefined): Output {
  if (path === undefined) return standardOutput;
  refuse(path);
  return openFileOutput(path);
}

/** Under another name until it is whole: the file that is there stays as it was if anything fails. */
function openFileOutput(path: string): Output {
  const orTell = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw new SkeinError('unwritable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
    }
  };
  const found = orTell(() => statSync(path, { throwIfNoEntry: false }));
  // A pipe or a device is written to as it is.
  const target = found?.isFile() === false ? null : targetOf(path);
  const part = target === null ? path : `${target}.${process.pid}.part`;
  const handle = orTell(() => openSync(part, target === null ? 'w' : 'wx', found ? found.mode & 0o777 : 0o600));
  const drop = (): void => {
    if (target !== null) rmSync(part, { force: true });
  };
  const stop = (): void => {
    drop();
    process.exit(INTERRUPTED);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  return {
    columns: null,
    write: (text) => orTell(() => writeWhole(handle, Buffer.from(withoutStyle(text)))),
    drained: () => null,
    close: (isWhole) => {
      for (const signal of SIGNALS) process.off(signal, stop);
      closeSync(handle);
      if (!isWhole) drop();
      else if (target !== null) orTell(() => renameSync(part, target));
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const INTERRUPTED = 130;

/** A disk that is nearly full takes a part first. */
function writeWhole(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
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
