import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { openDemo, type Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { print, warn } from '../../terminal/output.ts';
import { type Piece, renderPieces } from '../../views/text/render-record.ts';
import { dim } from '../table.ts';
import { recordsOf, type Selection, type ShowOptions } from './index.ts';

const PAUSE = 250;

/** The thread so far, then what is added to it, until somebody stops it. */
export async function follow(session: Session, selection: Selection, { verbose = false }: ShowOptions): Promise<void> {
  if (session.project.path === openDemo().projects[0]?.path)
    throw new SkeinError('bad_input', 'The demo session does not grow');
  if (session.files.some((id) => session.logs.file(id)?.kept))
    throw new SkeinError('bad_input', `The files of ${session.id} are gone: it does not grow any more`);
  const screen = new Screen();
  for (;;) {
    const poll = session.logs.follow(new Set(session.files));
    for (;;) {
      const change = poll();
      if (change === null) break;
      if (change.sessions.length > 0) show(screen, refreshed(session, selection), verbose);
      await sleep(PAUSE);
    }
    warn(`a file of ${session.id} was replaced; it is read anew`);
    screen.beginAgain();
    await sleep(PAUSE);
  }
}

/** The same selection in the tree as it is now. */
function refreshed(session: Session, { thread, subagent }: Selection): Selection {
  const now = session.again();
  if (subagent) return { session: now, thread: null, subagent };
  const isDefault = thread === null || thread.id === session.facts.defaultThread;
  return {
    session: now,
    thread: isDefault ? now.defaultThread : (now.threads.find(({ id }) => id === thread.id) ?? null),
    subagent: null,
  };
}

function show(screen: Screen, selection: Selection, verbose: boolean): void {
  for (const record of recordsOf(selection)) {
    if (screen.isUpToDate(record.id, record.revision)) continue;
    const content = selection.session.content(record, { annotations: verbose });
    screen.write(record.id, record.revision, renderPieces({ record, content }, { verbose }));
  }
}

/**
 * What was printed cannot be taken back: of a record that grew, only what is new is printed, with its call named again when others came
 * between. After a file was replaced a record may say something else under the same id: that is new too.
 */
class Screen {
  readonly #printed = new Map<string, Printed>();
  #last = '';

  /** What was printed so far is known by what it says, not by its ids. */
  beginAgain(): void {
    for (const [id, { before, signs }] of this.#printed)
      this.#printed.set(id, { revision: null, signs: new Map(), before: new Map([...before, ...signs]) });
  }

  isUpToDate(id: string, revision: number): boolean {
    return this.#printed.get(id)?.revision === revision;
  }

  write(id: string, revision: number, pieces: readonly Piece[]): void {
    const { signs, before } = this.#printed.get(id) ?? NOTHING_PRINTED();
    for (const [i, { key, text }] of pieces.entries()) {
      const sign = `${text.length} ${crc32(text)}`;
      if (signs.has(key)) continue;
      signs.set(key, sign);
      if (before.get(key) === sign) continue;
      const call = pieces[i - 1];
      const belongs = key.startsWith('result:') && call;
      if (belongs && this.#last !== `${id} ${call.key}`) this.#print(dim(call.text), '\n');
      this.#print(text, belongs || this.#last.startsWith(`${id} `) ? '' : '\n');
      this.#last = `${id} ${key}`;
    }
    this.#printed.set(id, { revision, signs, before });
  }

  #print(text: string, before: string): void {
    print(`${this.#last === '' ? '' : before}${text}\n`);
  }
}

/** Of one record: by the keys of its pieces a sign of what they said. */
interface Printed {
  readonly revision: number | null;
  readonly signs: Map<string, string>;
  /** Those from before the file was replaced. */
  readonly before: ReadonlyMap<string, string>;
}

const NOTHING_PRINTED = (): Printed => ({ revision: null, signs: new Map(), before: new Map() });
