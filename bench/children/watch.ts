/** Watches a folder with a file of 100 MB while that grows line by line, and prints how long it took until each line was archived. */
import { appendFileSync } from 'node:fs';
import { nothingExcluded } from '../../src/ingest/exclude.ts';
import { watch } from '../../src/ingest/index.ts';
import { openRoots } from '../../src/sources/index.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';

const LINES = 200;
const [root = '', home = '', file = ''] = process.argv.slice(2);
const archive = SqliteArchive.open(`${home}/archive.db`);
const stop = new AbortController();
let heard: (size: number) => void = () => undefined;
let begun: () => void = () => undefined;
const ready = new Promise<void>((resolve) => {
  begun = resolve;
});
const done = watch({
  archive,
  signal: stop.signal,
  findRoots: () => openRoots([root]),
  readExclude: () => nothingExcluded,
  onIngested: begun,
  onSaved: (files) => {
    for (const { path, size } of files) if (file.endsWith(path)) heard(size);
  },
});
await ready;
await new Promise((resolve) => setTimeout(resolve, 300));
const times: number[] = [];
for (let i = 0; i < LINES; i++) {
  const line = `${JSON.stringify({ line: i, text: 'word '.repeat(600) })}\n`;
  const start = performance.now();
  await new Promise<void>((resolve) => {
    heard = () => resolve();
    appendFileSync(file, line);
  });
  times.push(performance.now() - start);
}
stop.abort();
await done;
await archive.close();
console.log(JSON.stringify({ times, peak: process.resourceUsage().maxRSS * 1024 }));
