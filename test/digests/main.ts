/**
 * `npm run digests`: says which answers of the program about the corpus and about random projects are others than when the digests were
 * written last; a change that only moves code changes none. `--write`: these are the right ones from now on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Digests, digestRoot } from './digest-root.ts';
import { differences, readExpected, writeExpected } from './expected.ts';
import { corpusRoots, randomRoots } from './roots.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'skein-digests-'));
const found: Digests = {};
try {
  for (const root of corpusRoots()) Object.assign(found, await digestRoot(root, folder, { everySession: true }));
  for (const root of randomRoots(folder)) Object.assign(found, await digestRoot(root, folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.write) writeExpected(found);
else {
  const changed = differences(found, readExpected());
  for (const what of changed) console.log(what);
  console.log(`${Object.keys(found).length} answers, ${changed.length} differ.`);
  process.exitCode = changed.length === 0 ? 0 : 1;
}
