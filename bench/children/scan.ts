/** Searches an archive by reading it and prints what that took: `scan.ts ARCHIVE substring|regex TEXT`. */
import { History } from '../../src/history/index.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';

const [path = '', as = 'substring', text = ''] = process.argv.slice(2);
const { projects } = History.ofArchive(SqliteArchive.openForReading(path));
const bytes = projects.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size, 0);
const search = new ScanSearch(projects, { archive: path });
const request = { clause: null, pattern: { as: as === 'regex' ? 'regex' : 'substring', text }, limit: 20 } as const;
// The second time: the first one also starts the program.
await search.search(request);
const before = process.cpuUsage();
const start = performance.now();
const { total } = await search.search(request);
const { user, system } = process.cpuUsage(before);
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ bytes, total, cpu: (user + system) / 1000, wall: performance.now() - start, peak }));
