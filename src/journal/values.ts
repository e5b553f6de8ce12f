/** Lines are taken as they are: what is declared a list or an object may be anything. Such a value counts as an empty one. */
export const listOf = <T>(value: readonly T[] | undefined): readonly T[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** For messages to people. An object may have a `toString` that is none. */
export const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 120);

/** NaN if it says none. */
export const timeIn = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? new Date(value).getTime() : Number.NaN;

/** The text of content, which is a text or a list of blocks. */
export const contentText = (content: unknown, separator: string): string =>
  typeof content === 'string'
    ? content
    : listOf(content as { type?: unknown; text?: unknown }[])
        .filter((block) => block.type === 'text')
        .map((block) => textOf(block.text))
        .join(separator);
