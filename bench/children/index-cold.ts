/** What `skein index` does: archives and indexes the projects below a folder, on all cores, and prints what it took. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { History } from '../../src/history/index.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { beginIngest } from '../../src/ingest/ingest.ts';
import { openRoots } from '../../src/sources/index.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';

const [root = '.', home = '.'] = process.argv.slice(2);
const paths = { archive: join(home, 'archive.db'), index: join(home, 'index.db') };
const start = performance.now();
const archive = SqliteArchive.open(paths.archive);
const { stamp, end, threads: beside, ...saved } = await beginIngest({ archive, roots: openRoots([root]) });
const archived = end.then(() => performance.now() - start);
const store = SqliteIndex.open(paths.index);
let bytesRead = 0;
if (stamp === null || (await store.stamp()) !== stamp) {
  bytesRead = (await indexProjects(History.open({ roots: [root] }), store, { ...saved, beside })).bytesRead;
  await end;
  if (stamp !== null) await store.setStamp(stamp);
}
const [archiveMs, { files }] = await Promise.all([archived, end]);
await store.close();
await archive.close();
const ms = performance.now() - start;
const { user, system } = process.cpuUsage();
const peak = process.resourceUsage().maxRSS * 1024;
const bytes = { archive: statSync(paths.archive).size, index: statSync(paths.index).size };
console.log(JSON.stringify({ ms, archiveMs, cpu: (user + system) / 1000, bytesRead, files, peak, bytes }));
