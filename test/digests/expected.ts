import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digests } from './digest-root.ts';

const FILE = join(import.meta.dirname, 'expected.json');

export const readExpected = (): Digests => JSON.parse(readFileSync(FILE, 'utf8'));

export const writeExpected = (digests: Digests): void =>
  writeFileSync(FILE, `${JSON.stringify(digests, Object.keys(digests).sort(), 2)}\n`);

/** What is answered otherwise; what was not asked this time does not count. */
export const differences = (found: Digests, expected: Digests): string[] =>
  Object.keys(found).filter((what) => found[what] !== expected[what]);
