import { isPath, type Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { realpath } from '../../sources/index.ts';
import { printableLine } from '../../views/text/printable.ts';
import { LineRenderer } from '../../views/text/render-line.ts';
import { findSubagent } from '../find-session.ts';
import type { Output } from '../output.ts';
import { dim, plural } from '../table.ts';
import type { ShowOptions } from './index.ts';

interface FileOptions extends ShowOptions {
  readonly agent?: string;
}

/** One file of a session as it was written (H17): the one that was named, else the one the session is named after. */
export function showFile(session: Session, what: string, output: Output, options: FileOptions): void {
  const { agent, verbose = false } = options;
  const ids = agent === undefined ? session.files : findSubagent(session, agent).files;
  const files = ids.flatMap((id) => session.logs.file(id) ?? []);
  const named = isPath(what) ? realpath(what) : null;
  const file =
    files.find(({ path }) => named !== null && realpath(path) === named) ??
    files.find(({ facts }) => facts.native.startsWith(what)) ??
    files.find(({ facts }) => facts.native === session.id) ??
    files[0];
  if (!file) throw new SkeinError('not_found', `Session ${session.id} has no file of its own`);
  const renderer = new LineRenderer({ verbose });
  const hidden = new Map<string, number>();
  let between = '';
  session.logs.eachLine(file, (line) => {
    const shown = renderer.render(line);
    if ('hidden' in shown) {
      hidden.set(shown.hidden, (hidden.get(shown.hidden) ?? 0) + 1);
      return;
    }
    output.write(`${shown.isPart ? '' : between}${shown.text}\n`);
    between = '\n';
  });
  if (hidden.size > 0) output.write(`\n${dim(hiddenNote(hidden))}\n`);
}

/** `3 records hidden (2 attachment, 1 ai-title); use --verbose to show them` */
function hiddenNote(hidden: ReadonlyMap<string, number>): string {
  const sorted = [...hidden].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  const list = sorted.map(([name, count]) => `${count} ${printableLine(name)}`).join(', ');
  return `${plural(all, 'record')} hidden (${list}); use --verbose to show ${all === 1 ? 'it' : 'them'}`;
}
