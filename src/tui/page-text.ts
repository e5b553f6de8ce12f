import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { forTerminal } from '../terminal/style.ts';

/** Lets a person read in their pager, as they go. Gives what went wrong; null: nothing. */
export async function pageText(pieces: Iterable<string>): Promise<string | null> {
  const pager = process.env.PAGER?.trim() || 'less';
  const child = spawn(pager, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
  const ended = new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(`The pager ${pager} did not start (${error.message}); set PAGER`));
    child.on('close', (code) => resolve(code === 127 ? `There is no pager ${pager}; set PAGER` : null));
  });
  // Ctrl+C belongs to the pager; without a listener it would end us too.
  process.on('SIGINT', ignore);
  try {
    await pipeline(Readable.from(safe(pieces)), child.stdin).catch(unlessLeft);
    return await ended;
  } finally {
    process.off('SIGINT', ignore);
  }
}

function* safe(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield forTerminal(piece);
}

/** Who leaves the pager early has read enough. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}

const ignore = (): void => undefined;
