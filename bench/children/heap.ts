/** Reads the projects below a folder into trees and prints what they hold. With `content` every record keeps what it says, for comparison. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { collectGarbage } from '../measure.ts';
import { memoryFile, readLines } from '../read-tree.ts';

const [folder = '.', mode] = process.argv.slice(2);
const trees = new Map<string, Tree>();
const content: (readonly Block[])[] = [];
let bytes = 0;
let lines = 0;

collectGarbage();
const before = process.memoryUsage();
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!path.endsWith('.jsonl') && !path.endsWith('.meta.json')) continue;
  const file = memoryFile(path, readFileSync(join(folder, path)));
  bytes += file.bytes.length;
  const tree = trees.get(file.facts.project) ?? new Tree();
  trees.set(file.facts.project, tree);
  readLines(
    file,
    (batch) => {
      lines += batch.length;
      tree.feed(file.facts, batch);
    },
    mode === 'content' ? (parsed) => content.push(parsed.blocks()) : undefined,
  );
}
for (const tree of trees.values()) {
  tree.commit();
  for (const id of tree.sessionIds()) tree.session(id);
}
collectGarbage();
const after = process.memoryUsage();
console.log(
  JSON.stringify({
    bytes,
    lines,
    heap: after.heapUsed - before.heapUsed,
    peak: process.resourceUsage().maxRSS * 1024,
    kept: trees.size + content.length,
  }),
);
