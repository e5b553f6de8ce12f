/** Indexes the logs below a folder; says when it begins, so that it can be killed. */
import { join } from 'node:path';
import { History } from '../../src/history/index.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';

const [folder = '.', workers = '0'] = process.argv.slice(2);
const history = History.open({ roots: [join(folder, 'projects')] });
process.send?.('begins');
const store = SqliteIndex.open(join(folder, 'index.db'));
await indexProjects(history, store, { workers: Number(workers) });
await store.close();
process.disconnect();
