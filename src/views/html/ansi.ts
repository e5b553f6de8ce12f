import { stripEscapes } from '../../model/index.ts';
import { escapeText } from './escape.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const COLOR = /\x1b\[([\d;]*)m/g;

/** What a program printed, with its colours as classes; every other escape sequence is dropped. */
export function renderAnsi(text: string): string {
  let html = '';
  let at = 0;
  let style = '';
  const plain = (part: string): string => escapeText(stripEscapes(part));
  const wrap = (part: string): string => (style === '' || part === '' ? part : `<span class="${style}">${part}</span>`);
  for (const match of text.matchAll(COLOR)) {
    html += wrap(plain(text.slice(at, match.index)));
    style = classesOf(match[1] ?? '', style);
    at = match.index + match[0].length;
  }
  return html + wrap(plain(text.slice(at)));
}

/** Eight colours, bright ones alike; others are shown without. */
function classesOf(codes: string, before: string): string {
  let classes = before === '' ? [] : before.split(' ');
  const without = (start: string): string[] => classes.filter((name) => !name.startsWith(start));
  const numbers = codes.split(';').map(Number);
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i] ?? 0;
    if (code === 0) classes = [];
    else if (code === 1) classes = [...without('a-b'), 'a-bold'];
    else if (code === 2) classes = [...without('a-dim'), 'a-dim'];
    else if (code === 3) classes = [...without('a-it'), 'a-it'];
    else if (code === 4) classes = [...without('a-un'), 'a-un'];
    else if (code === 22) classes = without('a-bold').filter((name) => name !== 'a-dim');
    else if (code === 39) classes = without('a-f');
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) classes = [...without('a-f'), `a-f${code % 10}`];
    else if (code === 38 || code === 48) i += numbers[i + 1] === 5 ? 2 : 4;
  }
  return classes.join(' ');
}
