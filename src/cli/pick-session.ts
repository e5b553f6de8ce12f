import { basename } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { eachSession, type History, newestFirst, type SessionRow } from '../history/index.ts';
import { SkeinError } from '../model/index.ts';
import { formatTime } from '../views/text/format-time.ts';
import { openHistory, type RootOptions } from './options.ts';
import { type Choice, pick } from './picker.ts';
import { sessionName } from './session-table.ts';
import { shortId } from './table.ts';

/** Asks the person at the terminal which session is meant; null when they want none. */
export async function pickSession(options: RootOptions): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new SkeinError(
      'bad_input',
      'Which session? Give an id or a file: skein show ID ("skein sessions" lists them)',
    );
  return pick(choices(openHistory(options)), { title: 'Show which session?' });
}

/** Projects come last written first; within one its sessions are newest first. */
async function* choices(history: History): AsyncGenerator<Choice> {
  for (const project of history.projects) {
    for (const row of [...eachSession(history, { project })].sort(newestFirst)) yield choiceOf(row);
    await breathe();
  }
}

const choiceOf = (row: SessionRow): Choice => ({
  value: row.id,
  label: sessionName(row),
  detail: `${formatTime(row.endedAt)}  ${shortId(row.id)}  ${basename(row.cwd ?? row.project.path)}`,
});
