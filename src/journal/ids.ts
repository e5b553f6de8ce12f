import { randomBytes, randomUUID } from 'node:crypto';
import { SkeinError } from '../model/index.ts';

/** Eight hexadecimal digits, as Pi makes them: short, and unique in their session. */
export function newEntryId(taken: { has(id: string): boolean }): string {
  for (let tries = 0; tries < 100; tries++) {
    const id = randomUUID().slice(0, 8);
    if (!taken.has(id)) return id;
  }
  return randomUUID();
}

/** UUID version 7: sorts by time. */
export function newSessionId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** It becomes part of a file name. */
export function assertValidSessionId(id: string): void {
  if (/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id)) return;
  throw new SkeinError(
    'bad_input',
    "Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '.', and start and end with an alphanumeric character",
  );
}
