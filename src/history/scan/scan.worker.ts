import { parentPort, workerData } from 'node:worker_threads';
import { formats } from '../../formats/index.ts';
import type { Format } from '../../model/index.ts';
import { fileReceiver } from '../../sources/index.ts';
import { SqliteArchive } from '../../stores/sqlite/index.ts';
import { Project } from '../project.ts';
import { scanLogs } from './scan-logs.ts';
import type { FromScan, ScanJob, ScanStart } from './scan-thread.ts';

const { archive, pulse } = workerData as ScanStart;
const receive = fileReceiver(archive === null ? null : () => SqliteArchive.openForReading(archive));

parentPort?.on('message', (job: ScanJob) => {
  let answer: FromScan;
  try {
    const project = new Project({
      ...job.project,
      logs: [{ format: formatOf(job.format), files: job.files.flatMap(receive) }],
    });
    const [logs] = project.logs;
    if (!logs) return;
    const looking = (): void => {
      pulse[0] = (pulse[0] ?? 0) + 1;
      pulse[1] = 1;
    };
    const looked = (): void => {
      pulse[1] = 0;
    };
    answer = { scanned: scanLogs(project, logs, job.wanted, { looking, looked }) };
  } catch (error) {
    answer = { failed: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});

const formatOf = (name: string): Format => formats.find((format) => format.name === name) as Format;
