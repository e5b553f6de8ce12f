import { workerData } from 'node:worker_threads';
import { answerTasks } from '../sources/ask-thread.ts';
import { openSharedArchive } from '../stores/index.ts';
import { type SavedFiles, type SaveJob, saveFiles } from './save-files.ts';
import type { SaveNews, SaveStart } from './save-in-threads.ts';

const { share, terms, batchBytes } = workerData as SaveStart;

/** A thread that archives. */
answerTasks<SaveJob[], SavedFiles, SaveNews>(() => {
  const archive = openSharedArchive(share);
  return (jobs, tell) =>
    saveFiles(jobs, archive, terms, {
      batchBytes,
      onRead: (read) => tell({ read }),
      onFile: () => tell('file'),
      onSaved: (saved) => tell({ saved }),
    });
});
