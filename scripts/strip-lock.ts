// Removes the `engines` of dependencies from package-lock.json; `npm ci` believes the lock file. npm compares them with the machine's
// Node, but our scripts run on the `node` package: under an older Node npm would leave out the native parts of vitest and knip.
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
for (const [location, entry] of Object.entries<{ engines?: unknown }>(lock.packages)) {
  if (location !== '') delete entry.engines;
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
