import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SessionManager } from '../../src/journal/index.ts';
import type { KillJob } from './kill-job.ts';
import { ended } from './run-skein.ts';

const CHILD = resolve(import.meta.dirname, '../journal/children/append.ts');
const FILES = 20;

/** Programs that append to one session are killed: every entry that was acknowledged is in the file. */
export async function killJournal({ seed, kills, random, figures, isOver }: KillJob): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skein-soak-journal-'));
  try {
    const acknowledged = new Map<string, string[]>();
    for (let done = 0; done < kills && !isOver(); ) {
      const path = join(folder, `${Math.floor(done / FILES)}.jsonl`);
      const writers = await Promise.all(
        ['a', 'b'].map((name) =>
          ended(
            spawn(process.execPath, [CHILD, path, '20000', name, '30000'], { stdio: ['ignore', 'pipe', 'pipe'] }),
            random.below(150),
            'output',
          ),
        ),
      );
      const known = acknowledged.get(path) ?? [];
      for (const { out, code } of writers) {
        if (code === null) done++;
        // The last line may have been cut.
        known.push(
          ...out
            .split('\n')
            .slice(0, -1)
            .filter((line) => !line.includes('error')),
        );
      }
      acknowledged.set(path, known);
      figures.count('journal killed', writers.filter(({ code }) => code === null).length);
      const session = SessionManager.open(path);
      const lost = known.filter((id) => !session.getEntry(id));
      session.close();
      figures.count('journal entries compared', known.length);
      if (lost.length > 0)
        figures.violation('an acknowledged journal entry is lost', `journal, kill ${done} of ${seed}: ${lost.length}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
