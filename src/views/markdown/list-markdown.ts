import { printableLine } from '../printable.ts';
import { escaped } from './safe-text.ts';

/** A list of documents, as it may also stand on a page. */
interface List {
  readonly title: string;
  readonly facts: readonly string[];
  readonly groups: readonly {
    readonly name: string;
    readonly entries: readonly {
      readonly title: string;
      readonly href: string | null;
      readonly detail: string;
      readonly facts: readonly string[];
      readonly time: number | null;
    }[];
  }[];
}

export function* listMarkdown({ title, facts, groups }: List): Generator<string> {
  yield `# ${inline(title)}\n\n${facts.map(inline).join(' · ')}\n`;
  for (const { name, entries } of groups) {
    yield name === '' ? '\n' : `\n## ${inline(name)}\n\n`;
    for (const entry of entries) {
      const day = entry.time === null ? '' : new Date(entry.time).toISOString().slice(0, 10);
      const said = [day, ...entry.facts].filter(Boolean).map(inline).join(' · ');
      const named = entry.href === null ? inline(entry.title) : `[${inline(entry.title)}](${entry.href})`;
      yield `- ${named}${entry.detail === '' ? '' : ` ${inline(entry.detail)}`}${said === '' ? '' : ` · ${said}`}\n`;
    }
  }
}

const LONGEST = 160;

/** Titles come from logs: what would be markup is text. */
const inline = (text: string): string =>
  printableLine(text)
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/[\\`*_[\]<>#|!]/g, (sign, at: number, line: string) => escaped(sign, line, at));
