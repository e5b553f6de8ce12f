import { parentPort, workerData } from 'node:worker_threads';
import { SkeinError } from '../../model/index.ts';
import { findHistory, loadArchive } from '../options.ts';
import { openPrices } from '../prices.ts';
import type { FromThread, SentTask, ThreadData } from './export-pool.ts';
import { exportProject, type PageStyle } from './export-project.ts';

/** A thread that writes the pages of one project after the other. */
const { roots, style, pricesFile } = workerData as ThreadData;
await loadArchive();
const history = findHistory(roots);
const ownStyle: PageStyle = { ...style, prices: openPrices(pricesFile === undefined ? {} : { prices: pricesFile }) };

parentPort?.on('message', ({ project: { id, path }, ...task }: SentTask) => {
  const project = history.projects.find((each) => each.id === id && each.path === path);
  try {
    if (project) for (const page of exportProject(project, task, ownStyle)) send({ page });
    send({ done: true });
  } catch (error) {
    const code = error instanceof SkeinError ? error.code : null;
    send({
      failed: { code, message: code === null ? String((error as Error).stack ?? error) : (error as Error).message },
    });
  } finally {
    project?.close();
  }
});

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}
