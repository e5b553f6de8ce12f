import type { JsonObject } from './read-object.ts';

/** Every field may be missing or of another type: nothing of a line is used unseen. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const NONE: readonly unknown[] = [];
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NONE);
