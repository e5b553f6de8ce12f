import { paint } from '../../terminal/output.ts';
import type { Style } from '../../terminal/style.ts';
import { widthOf } from '../../views/text/width.ts';
import { dim } from '../table.ts';

/** For eyes: roles in colour, times not in the way, and no word cut in two by the end of the line. */
export function drawText(text: string, columns: number): string {
  const [first = '', ...rest] = text.split('\n').flatMap((line) => wrapLine(line, columns));
  return [paintHead(first), ...rest].join('\n');
}

const ROLES: Readonly<Record<string, readonly Style[]>> = {
  '<User>': ['bold', 'green'],
  '<Assistant>': ['bold', 'cyan'],
};

/** `[2025-01-07 19:31] <Assistant> …` */
const paintHead = (line: string): string =>
  line.replace(
    /^(\[\d{4}-\d\d-\d\d \d\d:\d\d\] )?(<[^<>]+>) /,
    (_, time: string | undefined, role: string) =>
      `${dim(time ?? '')}${paint(ROLES[role] ?? ['bold', 'yellow'], role)} `,
  );

/** Lines that go on begin below the first; a word that is longer than a line is left to the terminal. */
function wrapLine(line: string, columns: number): string[] {
  // How wide a tab is depends on where it stands.
  if (widthOf(line) <= columns || line.includes('\t')) return [line];
  const [before = ''] = /^ *(?:⎿ +|· )?/.exec(line) ?? [];
  const indent = before.length <= columns / 2 ? ' '.repeat(before.length) : '';
  const lines: string[] = [];
  let written = before;
  let width = before.length;
  for (const word of line.slice(before.length).match(/ *[^ ]+| +$/g) ?? []) {
    const more = widthOf(word);
    if (width + more > columns && written.trim() !== '' && word.startsWith(' ')) {
      lines.push(written);
      written = indent + word.trimStart();
      width = widthOf(written);
    } else {
      written += word;
      width += more;
    }
  }
  return [...lines, written];
}
