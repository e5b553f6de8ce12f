import { SkeinError } from '../model/index.ts';
import { warn } from '../terminal/output.ts';
import { readNotes } from './notes.ts';

/** Everything that can be set. The first value is what holds without being set. */
export const SETTINGS = {
  doubleEscapeAction: {
    values: ['branch', 'tree'],
    meaning: 'what "skein tree ID --branch" opens: the list of prompts, or the whole tree',
  },
  fullText: {
    values: ['on', 'off'],
    meaning:
      'whether "skein index" makes the full text, from its next run on; without it a first run takes a third less time and the index half the room, and a search reads the logs',
  },
} as const satisfies { readonly [name: string]: Setting };

interface Setting {
  readonly values: readonly string[];
  readonly meaning: string;
}

type Settings = { readonly [name in keyof typeof SETTINGS]: string };

export const isSetting = (name: string): name is keyof typeof SETTINGS => Object.hasOwn(SETTINGS, name);

/** All settings, from what is stored; what is stored and no value of it (by another version) does not count. */
export function settingsOf(stored: ReadonlyMap<string, string>): Settings {
  const read = (name: string, { values }: Setting): string => {
    const value = stored.get(name);
    return value !== undefined && values.includes(value) ? value : (values[0] ?? '');
  };
  return Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => [name, read(name, setting)]),
  ) as unknown as Settings;
}

/** Whether the index is to have full text; undefined, and said, where that cannot be read: then it stays as it is. */
export async function wantsText(): Promise<boolean | undefined> {
  try {
    return settingsOf(await readNotes((notes) => notes.settings(), new Map())).fullText === 'on';
  } catch (error) {
    if (!(error instanceof SkeinError)) throw error;
    warn(error.message);
    return undefined;
  }
}
