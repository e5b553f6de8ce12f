import type { Block } from '../model/index.ts';
import type { Part } from './read-part.ts';
import { atTime } from './times.ts';
import type { CommandInfo, FileReference, ImageData, UserGroup, UserGroupContent } from './types.ts';

export const userGroup = (part: Part, time: number, index: number): UserGroup => ({
  id: `user-${part.record.id}`,
  message: part.record,
  timestamp: atTime(time),
  content: readContent(part),
  index,
});

/** Commands come from command records only: a path in a prompt is not a command (C16). */
function readContent({ record, content }: Part): UserGroupContent {
  const commands = content.own.flatMap((block) => (block.type === 'command' ? [commandOf(block)] : []));
  const texts = content.own.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []));
  // The expanded prompt of an old command stands in the same line: it was not typed.
  const typed = commands.length > 0 ? '' : texts.join('\n\n');
  const raw = [...commands.map((command) => command.raw), ...(typed === '' ? [] : [typed])].join('\n');
  const args = commands.map((command) => command.args ?? '').join(' ');
  return {
    ...(typed === '' ? {} : { text: typed }),
    ...(raw === '' ? {} : { rawText: record.kind === 'bash' ? `! ${raw}` : raw }),
    commands,
    images: readImages(record.id, content.own),
    fileReferences: findReferences(typed === '' ? args : typed),
  };
}

const commandOf = ({ name, args }: Block & { type: 'command' }): CommandInfo => ({
  name: name.replace(/^\//, ''),
  ...(args === '' ? {} : { args }),
  raw: args === '' ? name : `${name} ${args}`,
});

const readImages = (id: string, blocks: readonly Block[]): ImageData[] =>
  blocks.flatMap((block, i) =>
    block.type === 'image' ? [{ id: `${id}:${i}`, mediaType: block.media, data: block.data }] : [],
  );

/** Not in the middle of a word, as in an e-mail address. */
const REFERENCE =
  /(?<![\p{L}\p{N}_.@/\\-])@(?:"([^"\n]{1,500})"|((?:~|\.{1,2})?[\p{L}\p{N}_.~/\\-]{1,500}))(?:#L?(\d{1,9})(?:-L?(\d{1,9}))?)?/gu;

/** `@README.md`, `@src/a.ts#L3-9`, `@"a b.txt"`; a name alone, as in `@anna`, is a person. */
function findReferences(text: string): FileReference[] {
  if (!text.includes('@')) return [];
  const found: FileReference[] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [raw, quoted, plain = '', start, end] = match;
    const path = quoted ?? plain.replace(/[.\\-]+$/, '');
    if (path === '' || (quoted === undefined && start === undefined && !/[./\\~]/.test(path))) continue;
    const from = start === undefined ? null : Number(start);
    found.push({
      path,
      raw: quoted === undefined && start === undefined ? `@${path}` : raw,
      ...(from === null ? {} : { lineRange: { start: from, end: end === undefined ? from : Number(end) } }),
    });
  }
  return found;
}
