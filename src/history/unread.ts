import {
  type FileId,
  type Finding,
  type LineRef,
  type Parsed,
  ruleOf,
  severityOf,
  type WarningType,
} from '../model/index.ts';
import type { Problem } from '../sources/index.ts';

/** What of one file could not be read. The rest of it is shown all the same. */
export interface Unread extends Problem {
  readonly file: FileId;
  /** The first line that is missing; null when nobody knows which are. */
  readonly line: number | null;
  readonly count: number;
}

const TYPE: WarningType = 'unreadable_file';

export const findingOf = ({ path, message, line, count }: Omit<Unread, 'file'>): Finding => ({
  rule: ruleOf(TYPE),
  type: TYPE,
  severity: severityOf(TYPE),
  message,
  file: path,
  line,
  uuid: null,
  version: null,
  count,
});

/** The lines that could not be read when somebody asked for what they say, by file. */
export class UnreadLines {
  readonly #files = new Map<FileId, { readonly path: string; readonly reason: string; readonly lines: Set<number> }>();
  readonly #beside = new Map<string, Unread>();

  /** What stands in the place of the line. */
  add({ ...ref }: LineRef, path: string, reason: string): Parsed {
    const known = this.#files.get(ref.file);
    if (known) known.lines.add(ref.line);
    else this.#files.set(ref.file, { path, reason, lines: new Set([ref.line]) });
    const message = `Line ${ref.line} of ${ref.file} ${reason}`;
    return {
      line: { in: 'report', ref, warnings: [{ type: TYPE, detail: reason, message }] },
      blocks: () => [{ type: 'text', at: ref, text: `[${message}]`, error: true, unreadable: true }],
    };
  }

  /** A file beside a log, of which a line says more than stands in it. */
  addBeside({ file, line }: LineRef, path: string, reason: string): void {
    this.#beside.set(path, { file, path, line, count: 1, message: `${path} ${reason}; its beginning is shown` });
  }

  get all(): Unread[] {
    const logs = [...this.#files].map(([file, { path, reason, lines }]) => ({
      file,
      path,
      line: Math.min(...lines),
      count: lines.size,
      message: `${path} ${reason}; ${lines.size === 1 ? 'a line of it is' : `${lines.size} lines of it are`} not shown`,
    }));
    return [...logs, ...this.#beside.values()];
  }
}
