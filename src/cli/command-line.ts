import { printable } from '../views/text/printable.ts';
import type { RootOptions } from './options.ts';
import { COMMAND } from './table.ts';

/** A command of this program to be typed or pasted: it looks where this one was told to look. */
export const commandLine = (args: readonly string[], { root = [] }: RootOptions): string =>
  [COMMAND, ...[...args, ...root.flatMap((folder) => ['--root', folder])].map(quote)].join(' ');

/** A word for bash and zsh. Logs name folders: nothing in it may be more than a word, and no escape may reach the terminal. */
export function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (/[\t\n]/.test(word) || printable(word) !== word) {
    const bytes = [...new TextEncoder().encode(word)].map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
        ? String.fromCharCode(byte)
        : `\\${byte.toString(8).padStart(3, '0')}`,
    );
    return `$'${bytes.join('')}'`;
  }
  return `'${word.replaceAll("'", "'\\''")}'`;
}
