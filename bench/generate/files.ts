import type { Conversation } from './conversation.ts';
import { code, filePath } from './text.ts';

/** A file somebody works on. */
interface WorkFile {
  readonly path: string;
  text: string;
}

export interface Change {
  readonly path: string;
  /** All of it before the change. */
  readonly original: string;
  readonly before: string;
  readonly after: string;
}

/** So many of them anybody remembers. */
const HELD = 12;

/** How often the one touched last is taken, the one before it, and so on; else a new one. Counted in real logs: 101 edits, 113 reads. */
const EDITED = [0.78, 0.09, 0.05, 0.02, 0.02, 0.01];
const READ = [0.26, 0.09, 0.06, 0.03, 0.02];

/**
 * The files of a session. As in real ones most changes are of the file that was read or changed last, and each keeps the whole file beside
 * it: most of what stands in a log stood there a few lines before.
 */
export class WorkFiles {
  readonly #talk: Conversation;
  readonly #files: WorkFile[] = [];

  constructor(talk: Conversation) {
    this.#talk = talk;
  }

  /** About so many bytes of one, whole lines. */
  part(bytes: number): { readonly path: string; readonly text: string; readonly line: number; readonly lines: number } {
    const { path, text } = this.#take(READ);
    const start = startOfLine(text, this.#talk.random.below(Math.max(1, text.length - bytes)));
    const lines = text.split('\n').length;
    return { path, text: text.slice(start, start + bytes), line: text.slice(0, start).split('\n').length, lines };
  }

  change(): Change {
    const { random } = this.#talk;
    const file = this.#take(EDITED);
    const { path, text: original } = file;
    const start = startOfLine(original, random.below(Math.max(1, original.length)));
    const before = original.slice(start, start + this.#talk.size(220));
    const after = code(random, this.#talk.size(320));
    file.text = original.slice(0, start) + after + original.slice(start + before.length);
    return { path, original, before, after };
  }

  /** One of them, or a new one; none that is longer than what may still be written. */
  #take(chances: readonly number[]): WorkFile {
    const at = this.#place(chances);
    const file = this.#files[at] ?? this.#create();
    this.#files.splice(at, 1);
    this.#files.unshift(file);
    if (this.#files.length > HELD) this.#files.pop();
    return file;
  }

  #place(chances: readonly number[]): number {
    let left = this.#talk.random.next();
    const at = chances.findIndex((chance) => {
      left -= chance;
      return left < 0;
    });
    const fits = at >= 0 && (this.#files[at]?.text.length ?? 0) <= this.#talk.room;
    return fits ? at : HELD;
  }

  #create(): WorkFile {
    const { cwd, random } = this.#talk;
    return { path: `${cwd}/${filePath(random)}`, text: code(random, this.#talk.size(24_000)) };
  }
}

const startOfLine = (text: string, at: number): number => text.lastIndexOf('\n', at) + 1;
