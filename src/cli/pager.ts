import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { forTerminal } from '../terminal/style.ts';
import { type Output, terminalColumns } from './output.ts';

/** Lets the person at the terminal read in their pager; null where there is none, or nobody. */
export function openPager(): Output | null {
  const pager = process.env.PAGER?.trim() || 'less';
  if (!process.stdout.isTTY || pager === 'cat' || !isThere(pager)) return null;
  // What fits on the screen stays there, as after a command that has no pager.
  const env = { LESS: 'FRX', ...process.env };
  const child = spawn(pager, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
  const ended = once(child, 'close');
  let isWritten = false;
  child.stdin.on('error', ignore);
  // Who leaves it early has read enough.
  child.on('close', () => isWritten || process.exit(0));
  // Ctrl+C belongs to the pager; without a listener it would end us too.
  process.on('SIGINT', ignore);
  return {
    columns: terminalColumns(),
    write: (text) => void child.stdin.write(forTerminal(text)),
    drained: () => (child.stdin.writableNeedDrain ? once(child.stdin, 'drain').then(ignore) : null),
    async close() {
      isWritten = true;
      child.stdin.end();
      await ended;
      process.off('SIGINT', ignore);
    },
  };
}

/** The shell would only say that it knows no such program when everything was written. */
const isThere = (pager: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$0"', pager.split(/\s/, 1)[0] ?? '']).status === 0;

const ignore = (): void => undefined;
