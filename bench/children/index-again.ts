/** What `skein index` does where nothing is new, and prints what it took. */
import { join } from 'node:path';
import { beginIngest } from '../../src/ingest/ingest.ts';
import { openRoots } from '../../src/sources/index.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';

const [root = '.', home = '.'] = process.argv.slice(2);
const start = performance.now();
const archive = SqliteArchive.open(join(home, 'archive.db'));
const { stamp, end } = await beginIngest({ archive, roots: openRoots([root]) });
const store = SqliteIndex.open(join(home, 'index.db'));
if (stamp === null || (await store.stamp()) !== stamp) throw new Error('something is new');
const { files } = await end;
await store.close();
await archive.close();
console.log(JSON.stringify({ ms: performance.now() - start, files }));
