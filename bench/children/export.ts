/** Writes the pages of all projects below a folder, with so many threads, and prints what it took. */
import { exportProjects } from '../../src/cli/export/export-projects.ts';
import { PageFolder } from '../../src/cli/export/page-folder.ts';
import { writeLists } from '../../src/cli/export/write-lists.ts';
import { History } from '../../src/history/index.ts';

const [root = '.', folder = 'out', workers = '1'] = process.argv.slice(2);
const start = performance.now();
const before = process.cpuUsage();
const history = History.open({ roots: [root] });
const target = new PageFolder(folder);
const { written, kept } = await exportProjects(history.projects, target, {
  roots: { root: [root] },
  style: { form: 'html', verbose: false, pricesStamp: '' },
  pricesFile: undefined,
  workers: Number(workers),
});
writeLists(target, 'html');
target.save();
const { user, system } = process.cpuUsage(before);
const files = history.projects.reduce((sum, project) => sum + project.files.length, 0);
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, written, kept, files, peak }));
