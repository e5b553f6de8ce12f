import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isHeader, messageOf, type SessionEntry, type SessionHeader, type SessionMessageEntry } from './entries.ts';
import { parseLine, titleIn } from './read-file.ts';
import { isNaming, sessionName } from './session-name.ts';
import { contentText, timeIn } from './values.ts';

/** A session in a list. */
export interface SessionInfo {
  path: string;
  id: string;
  /** Empty if the header does not say. */
  cwd: string;
  name?: string | undefined;
  parentSessionPath?: string | undefined;
  created: Date;
  /** The last time somebody said something. */
  modified: Date;
  messageCount: number;
  firstMessage: string;
  allMessagesText: string;
}

export type SessionListProgress = (
  loaded: number,
  total: number,
  /** Those read so far, latest first; now and then. */
  partialSessions?: readonly SessionInfo[],
) => void;

/** Null: no session, or not to be read. */
export async function readSessionInfo(path: string, signal?: AbortSignal): Promise<SessionInfo | null> {
  try {
    const { mtime } = await stat(path);
    const seen = new Seen();
    const input = createReadStream(path, { encoding: 'utf8', ...(signal ? { signal } : {}) });
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (!seen.add(line)) return null;
    }
    return seen.info(path, mtime);
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

/** What was seen of a file, line by line. */
class Seen {
  #header: SessionHeader | null = null;
  #slot: unknown;
  readonly #names: SessionEntry[] = [];
  #count = 0;
  #time = 0;
  #first = '';
  readonly #texts: string[] = [];

  /** False: this is no session. */
  add(line: string): boolean {
    const entry = parseLine(line);
    if (!entry) return true;
    if (!this.#header) {
      if (isHeader(entry)) this.#header = entry;
      else this.#slot = titleIn(entry);
      return this.#header !== null || this.#slot !== undefined;
    }
    if (entry.type !== 'session' && isNaming(entry)) this.#names.push(entry);
    if (entry.type === 'message') this.#addMessage(entry);
    return true;
  }

  #addMessage(entry: SessionMessageEntry): void {
    this.#count++;
    const message = messageOf(entry);
    if (message?.role !== 'user' && message?.role !== 'assistant') return;
    const time = typeof message.timestamp === 'number' ? message.timestamp : timeIn(entry.timestamp);
    if (time > this.#time) this.#time = time;
    const text = contentText(message.content, ' ');
    if (text === '') return;
    this.#texts.push(text);
    if (message.role === 'user') this.#first ||= text;
  }

  info(path: string, mtime: Date): SessionInfo | null {
    const header = this.#header;
    if (!header) return null;
    const created = new Date(timeIn(header.timestamp));
    return {
      path,
      id: header.id,
      cwd: typeof header.cwd === 'string' ? header.cwd : '',
      name: sessionName({ slot: this.#slot, header, last: (test) => this.#names.findLast(test) }),
      parentSessionPath: header.parentSession,
      created,
      modified: this.#time > 0 ? new Date(this.#time) : Number.isNaN(created.getTime()) ? mtime : created,
      messageCount: this.#count,
      firstMessage: this.#first || '(no messages)',
      allMessagesText: this.#texts.join(' '),
    };
  }
}
