/** Indexes the projects below a folder into a database, with as many threads as there are cores, and prints what it took. */
import { statSync } from 'node:fs';
import { History } from '../../src/history/index.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';

const [root = '.', path = 'index.db'] = process.argv.slice(2);
const start = performance.now();
const store = SqliteIndex.open(path);
const history = History.open({ roots: [root] });
const { bytesRead } = await indexProjects(history, store);
const ms = performance.now() - start;
await store.close();
const { user, system } = process.cpuUsage();
const files = history.projects.reduce((sum, project) => sum + project.files.length, 0);
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, bytesRead, files, peak, db: statSync(path).size }));
