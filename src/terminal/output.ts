import { forTerminal, type Paint, paintFor } from './style.ts';

// The only way out: whatever a command says, to a person or into a pipe, goes through one of these functions, and nothing in it acts on
// a terminal. test/terminal/one-door.test.ts holds that nothing else writes.

/** To the standard output. */
export const print = (text: string): void => void process.stdout.write(forTerminal(text));

/** To the error stream. */
export const remark = (text: string): void => void process.stderr.write(forTerminal(text));

/** What a person should know beside what was asked for. */
export const warn = (message: string): void => remark(`skein: ${message}\n`);

/** What to wait for before more is printed, when the reader is slower than we are; null: nothing. */
export const printed = (): Promise<void> | null =>
  process.stdout.writableLength === 0
    ? null
    : // Only then it is on its way: a program that goes on working writes no more to a pipe that was full once.
      new Promise((resolve) => void process.stdout.write('', () => resolve()));

/** A line on the error stream that the next one takes the place of; an empty one is gone. Only for terminals. */
export const overwrite = (line: string): void => void process.stderr.write(`\r\u001b[K${forTerminal(line)}`);

/** `tell`: the reader of what is printed is gone, or the disk it goes to is full. */
export const onBrokenOutput = (tell: (error: NodeJS.ErrnoException) => void): void =>
  void process.stdout.on('error', tell);

export const paint: Paint = paintFor(process.stdout);
