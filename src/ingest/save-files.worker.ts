import { workerData } from 'node:worker_threads';
import { answerTasks } from '../sources/ask-thread.ts';
import { openSharedArchive } from '../stores/index.ts';
import { type SavedFiles, type SaveJob, saveFiles } from './save-files.ts';
import type { SaveNews, SaveStart } from './save-in-threads.ts';

const { share, terms, batchBytes } = workerData as SaveStart;

/** A thread that archives. */
answerTasks<SaveJob[], SavedFiles, SaveNews>(() => {
  const archive = openSharedArchive(share);
  return async (jobs, tell) => {
    let [read, files] = [0, 0];
    const tellAll = (saved: SaveNews['saved']): void => {
      tell({ read, files, saved });
      [read, files] = [0, 0];
    };
    const done = await saveFiles(jobs, archive, terms, {
      batchBytes,
      onRead: (bytes) => {
        read += bytes;
      },
      onFile: (count) => {
        files += count;
      },
      onSaved: tellAll,
    });
    tellAll([]);
    return done;
  };
});
