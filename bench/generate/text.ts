import type { Random } from './random.ts';
import { anyWord } from './words.ts';

/** Sentences and paragraphs, about so many bytes. */
export function prose(random: Random, bytes: number): string {
  let text = '';
  while (text.length < bytes) {
    const words = random.between(4, 18);
    for (let i = 0; i < words; i++) {
      const word = anyWord(random);
      if (i === 0) text += `${word[0]?.toUpperCase()}${word.slice(1)}`;
      else text += random.chance(0.04) ? ` \`${word}\`` : ` ${word}`;
    }
    text += random.chance(0.02) ? ' — ✅' : random.chance(0.15) ? ':\n- ' : random.chance(0.15) ? '.\n\n' : '. ';
  }
  return text.slice(0, Math.max(1, bytes)).toWellFormed().trimEnd();
}

/** Lines of code with indentation and quotes, which are escaped in JSON as in real logs. */
export function code(random: Random, bytes: number): string {
  let text = '';
  let depth = 0;
  while (text.length < bytes) {
    const indent = '  '.repeat(depth);
    const [a, b, c] = [anyWord(random), anyWord(random), anyWord(random)];
    switch (random.below(7)) {
      case 0:
        text += `${indent}if (${a}.${b} === "${c}") {\n`;
        depth = Math.min(6, depth + 1);
        break;
      case 1:
        depth = Math.max(0, depth - 1);
        text += `${'  '.repeat(depth)}}\n\n`;
        break;
      case 2:
        text += `${indent}// ${a} ${b} ${c} ${anyWord(random)} ${anyWord(random)}\n`;
        break;
      case 3:
        text += `${indent}return ${a}(${b}, { ${c}: ${anyWord(random)} });\n`;
        break;
      default:
        text += `${indent}const ${a} = ${b}(${c}, "${anyWord(random)}");\n`;
    }
  }
  return text.slice(0, Math.max(1, bytes));
}

/** What a command prints: paths, numbers, marks. */
export function output(random: Random, bytes: number): string {
  let text = '';
  while (text.length < bytes) {
    const mark = random.chance(0.02) ? '├── ' : random.chance(0.1) ? '  PASS ' : '';
    text += `${mark}${filePath(random)}:${random.below(900)}: ${anyWord(random)} ${anyWord(random)} ${random.below(10000)}ms\n`;
  }
  return text.slice(0, Math.max(1, bytes)).toWellFormed();
}

export function filePath(random: Random): string {
  const folder = random.chance(0.6) ? 'src' : random.chance(0.5) ? 'test' : 'docs';
  return `${folder}/${anyWord(random)}/${anyWord(random)}.${random.pick(['ts', 'ts', 'tsx', 'md', 'json'])}`;
}

/** As the Read tool shows a file: `     1→` up to 2.1.42. */
export const numbered = (text: string, first = 1): string =>
  text
    .split('\n')
    .map((line, i) => `${String(i + first).padStart(6)}→${line}`)
    .join('\n');
