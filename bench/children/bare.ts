/** The bare loop over the files below a folder: what reading cannot do without. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareLoop, memoryFile } from '../read-tree.ts';

const [root = '.'] = process.argv.slice(2);
const start = performance.now();
for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }))
  if (path.endsWith('.jsonl')) bareLoop([memoryFile(path, readFileSync(join(root, path)))]);
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000 }));
