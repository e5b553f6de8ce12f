import { parentPort, workerData } from 'node:worker_threads';
import { formats } from '../../formats/index.ts';
import type { ArchiveReader, Format } from '../../model/index.ts';
import { isEnd } from '../../sources/ask-thread.ts';
import { fileReceiver } from '../../sources/index.ts';
import { SqliteArchive } from '../../stores/sqlite/index.ts';
import { Project } from '../project.ts';
import { scanLogs } from './scan-logs.ts';
import { type FromScan, Pulse, type ScanJob, type ScanStart } from './scan-thread.ts';

const { archive, pulse } = workerData as ScanStart;
const receive = fileReceiver(archive === null ? null : () => endable(SqliteArchive.openForReading(archive)));

/** Ends between two steps. */
function endIfOver(): void {
  if (Atomics.load(pulse, Pulse.isOver) === 1) process.exit();
}

function endable(reader: ArchiveReader): ArchiveReader {
  return {
    keptFiles: () => reader.keptFiles(),
    forgotten: () => reader.forgotten(),
    readKept: (id, offset, length) => {
      endIfOver();
      return reader.readKept(id, offset, length);
    },
    *passKept(id) {
      for (const piece of reader.passKept(id)) {
        endIfOver();
        yield piece;
      }
    },
  };
}

parentPort?.on('message', (job: ScanJob) => {
  if (isEnd(job)) process.exit();
  let answer: FromScan;
  try {
    const project = new Project({
      ...job.project,
      logs: [{ format: formatOf(job.format), files: job.files.flatMap(receive) }],
    });
    const [logs] = project.logs;
    if (!logs) return;
    const looking = (): void => {
      endIfOver();
      Atomics.add(pulse, Pulse.looked, 1);
      Atomics.store(pulse, Pulse.isLooking, 1);
    };
    const looked = (): void => {
      Atomics.store(pulse, Pulse.isLooking, 0);
    };
    answer = { scanned: scanLogs(project, logs, job.wanted, { looking, looked }) };
  } catch (error) {
    answer = { failed: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});

const formatOf = (name: string): Format => formats.find((format) => format.name === name) as Format;
