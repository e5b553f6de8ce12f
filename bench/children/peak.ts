/** Reads one file the way the command line does and prints the largest memory of the process. */
import { History } from '../../src/history/index.ts';

const [project] = History.openFile(process.argv[2] ?? '').projects;
const records = project?.sessions()[0]?.facts.recordCount ?? 0;
console.log(JSON.stringify({ records, peak: process.resourceUsage().maxRSS * 1024 }));
