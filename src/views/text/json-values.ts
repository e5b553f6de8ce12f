/** What a tool was given or gave may have any form: nothing of it is used unseen. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Text that says something. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Ids are written as text by some versions and as numbers by others. */
export const idOf = (value: unknown): string | null => textOf(value) ?? numberOf(value)?.toString() ?? null;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
