/** The yardstick from disk: every file read as a whole and every line parsed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareLoop, memoryFile } from '../read-tree.ts';

const [root = ''] = process.argv.slice(2);
const before = process.cpuUsage();
const start = performance.now();
let objects = 0;
let bytes = 0;
for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!path.endsWith('.jsonl')) continue;
  const file = memoryFile(path, readFileSync(join(root, path)));
  objects += bareLoop([file]);
  bytes += file.bytes.length;
}
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    objects,
    bytes,
    cpu: (user + system) / 1000,
    wall: performance.now() - start,
    ms: performance.now() - start,
  }),
);
