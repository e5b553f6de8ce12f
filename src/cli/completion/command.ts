/** What is completed where a value or an argument stands. */
export type Kind = 'session' | 'file' | 'dir' | 'none';

export interface Option {
  readonly names: readonly string[];
  readonly description: string;
  /** What its value is; null for a switch. */
  readonly value: { readonly kind: Kind; readonly choices: readonly string[] } | null;
}

/** A command as the scripts are made from it: names and choices are plain words, descriptions are any text on one line. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  readonly argument: Kind;
}

export const namesOf = (options: readonly Option[]): string[] => options.flatMap(({ names }) => names);
export const withValue = (options: readonly Option[]): Option[] => options.filter(({ value }) => value !== null);
