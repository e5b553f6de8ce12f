/**
 * `npm run bench` runs every entry, `npm run bench -- tree append` some. Figures are ratios within one run where they can be: the
 * machine may be slow or busy, what is compared met the same machine. A row over its limit is marked; the exit code says only whether
 * something broke.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entries } from './entries/index.ts';
import type { Row } from './entry.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !entries.some((entry) => entry.name === name));
if (unknown.length > 0) {
  console.error(
    `No benchmark is called ${unknown.join(', ')}. There are: ${entries.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const start = performance.now();
let over = 0;
console.log(`${'entry'.padEnd(10)} ${'what'.padEnd(72)} ${'figure'.padStart(16)} ${'limit'.padStart(7)}`);
for (const entry of entries) {
  if (wanted.length > 0 && !wanted.includes(entry.name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'skein-bench-'));
  try {
    for await (const row of entry.run(folder)) print(entry.name, row);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(
  `${over === 0 ? 'No row' : `${over} rows`} over the limit. ${((performance.now() - start) / 1000).toFixed(0)} s.`,
);

function print(entry: string, { name, figure, unit, limit, note }: Row): void {
  const isOver = limit !== null && figure > limit;
  if (isOver) over++;
  const value = `${figure < 10 ? figure.toFixed(2) : figure.toFixed(0)} ${unit}`.padStart(16);
  const verdict = limit === null ? '' : isOver ? 'OVER' : 'ok';
  const columns = [
    entry.padEnd(10),
    name.padEnd(72),
    value,
    `${limit ?? '–'}`.padStart(7),
    verdict.padEnd(4),
    note ?? '',
  ];
  console.log(columns.join(' ').trimEnd());
}
