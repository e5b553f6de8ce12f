import { workerData } from 'node:worker_threads';
import { answerTasks } from '../../sources/ask-thread.ts';
import { findHistory, loadArchive } from '../options.ts';
import { openPrices } from '../prices.ts';
import type { SentTask, ThreadData } from './export-pool.ts';
import { exportProject, type PageProblem, type PageReport, type PageStyle } from './export-project.ts';

const { roots, style, pricesFile } = workerData as ThreadData;

/** A thread that writes the pages of one project after the other. */
answerTasks<SentTask, null, PageReport | PageProblem>(async () => {
  await loadArchive();
  const history = findHistory(roots);
  const ownStyle: PageStyle = { ...style, prices: openPrices(pricesFile === undefined ? {} : { prices: pricesFile }) };
  return async ({ project: { id, path }, ...task }, tell) => {
    const project = history.projects.find((each) => each.id === id && each.path === path);
    try {
      if (project) for (const page of exportProject(project, task, ownStyle)) tell(page);
    } finally {
      project?.close();
    }
    return null;
  };
});
