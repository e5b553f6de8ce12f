import type { Prompt, PromptHistory } from '../../model/index.ts';
import { folderOf } from './locations.ts';

/**
 * What was typed, in all sessions, also in those whose transcripts are deleted:
 *
 *     {"display":"fix the test","pastedContents":{},"timestamp":1762077600000,"project":"/home/me/app","sessionId":"29ccd257-…"}
 *
 * Older versions do not write the session: nobody can say then whose a prompt is.
 */
export const promptHistory: PromptHistory = { name: 'history.jsonl', read: readPrompt, folderOf, write: writeLog };

function readPrompt(line: string): Prompt | null {
  try {
    const { sessionId, project, timestamp, display, pastedContents } = JSON.parse(line) as Record<string, unknown>;
    return {
      session: typeof sessionId === 'string' && sessionId !== '' ? sessionId.toWellFormed() : null,
      cwd: typeof project === 'string' && project !== '' ? project.toWellFormed() : null,
      time: typeof timestamp === 'number' && Math.abs(timestamp) <= LAST_TIME ? timestamp : null,
      text: typeof display === 'string' ? withPasted(display, pastedContents) : '',
    };
  } catch {
    return null;
  }
}

/** What a `Date` can hold. */
const LAST_TIME = 8.64e15;

/** `[Pasted text #1 +20 lines]` stands for what was pasted: `{"1":{"id":1,"type":"text","content":"…"}}`. */
function withPasted(display: string, pasted: unknown): string {
  if (typeof pasted !== 'object' || pasted === null) return display;
  const contents = new Map(Object.entries(pasted as Record<string, { content?: unknown } | null>));
  return display.replace(/\[Pasted text #(\d+)[^\]]*\]/g, (mark, number: string) => {
    const content = contents.get(number)?.content;
    return typeof content === 'string' ? content : mark;
  });
}

/** The lines that the transcript began its turns with. Prompts of one moment are told apart by their number. */
function writeLog(session: string, prompts: readonly Prompt[]): string {
  let before: string | null = null;
  const taken = new Map<string, number>();
  return prompts
    .map(({ cwd, time, text }) => {
      const moment = `prompt-${time ?? 'unknown'}`;
      const number = (taken.get(moment) ?? 0) + 1;
      taken.set(moment, number);
      const uuid = number === 1 ? moment : `${moment}-${number}`;
      const line = {
        type: 'user',
        uuid,
        parentUuid: before,
        sessionId: session,
        ...(cwd === null ? {} : { cwd }),
        ...(time === null ? {} : { timestamp: new Date(time).toISOString() }),
        message: { role: 'user', content: text },
      };
      before = uuid;
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}
