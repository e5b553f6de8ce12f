import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { SkeinError } from '../model/index.ts';

/** Eight hexadecimal digits, as Pi makes them: short, and unique in their session. */
export function newEntryId(taken: { has(id: string): boolean }): string {
  for (let tries = 0; tries < 100; tries++) {
    const id = randomNumber().toString(16).padStart(8, '0');
    if (!taken.has(id)) return id;
  }
  return randomUUID();
}

const drawn = new Uint32Array(1024);
let used = drawn.length;

/** Drawn a thousand at a time: for one of them the way to the system costs more than the rest of an append. */
function randomNumber(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  return drawn[used++] as number;
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
