import { createInterface } from 'node:readline/promises';
import { forTerminal } from './style.ts';

/** For what draws on the terminal itself, and lets a text through `forTerminal` before it does. */
export interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** Lists to pick from: what is chosen may be printed into a pipe. */
export const listStreams = (): Streams => ({ input: process.stdin, output: process.stderr });

/** What takes the whole screen. */
export const screenStreams = (): Streams => ({ input: process.stdin, output: process.stdout });

/** What a person types after a question. */
export async function ask(question: string): Promise<string> {
  const { input, output } = listStreams();
  const terminal = createInterface({ input, output });
  try {
    return await terminal.question(forTerminal(question));
  } finally {
    terminal.close();
  }
}
