/** Archives a root in a process of its own, which may be killed: says "ready" when it begins. */
import { ingest } from '../../src/ingest/ingest.ts';
import { openRoots } from '../../src/sources/index.ts';
import { lockForWriting, SqliteArchive } from '../../src/stores/sqlite/index.ts';
import { BLOCK } from '../../src/stores/store.ts';

const [home = '', root = '', threads = '0'] = process.argv.slice(2);
process.stdout.write('ready\n');
const lock = lockForWriting(home);
const archive = SqliteArchive.open(`${home}/archive.db`);
await ingest({ archive, roots: openRoots([root]), batchBytes: BLOCK, threads: Number(threads) });
await archive.close();
lock.release();
