import type { Progress } from '../ingest/index.ts';
import { overwrite } from '../terminal/output.ts';
import { formatNumber, megabytes } from './table.ts';

const PAUSE = 100;

/** One line that is written over, on a terminal; nothing elsewhere. */
export function showProgress(
  doing: string,
  things = 'files',
): {
  show(progress: Progress): void;
  end(): void;
} {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  const start = performance.now();
  let last = 0;
  return {
    show: ({ files, bytes, allFiles, allBytes }) => {
      const now = performance.now();
      if (now - last < PAUSE) return;
      last = now;
      const perSecond = (bytes / Math.max(1, now - start)) * 1000;
      const seconds = Math.ceil(Math.max(0, allBytes - bytes) / Math.max(1, perSecond));
      overwrite(
        `${doing}: ${formatNumber(files)} of ${formatNumber(allFiles)} ${things}, ${megabytes(bytes)} of ${megabytes(allBytes)}, ${megabytes(perSecond)}/s, ${seconds} s left`,
      );
    },
    end: () => void (last > 0 && overwrite('')),
  };
}
