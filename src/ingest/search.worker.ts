import { parentPort, workerData } from 'node:worker_threads';
import { formats } from '../formats/index.ts';
import { Logs } from '../history/logs.ts';
import { type Finding, type Format, SkeinError } from '../model/index.ts';
import { isEnd } from '../sources/ask-thread.ts';
import { fileReceiver } from '../sources/index.ts';
import { SqliteArchive } from '../stores/sqlite/index.ts';
import { SqliteIndex } from '../stores/sqlite/index-db.ts';
import { type FromReader, type Questions, READY, type ReaderStart, type ToReader } from './reader-thread.ts';
import { StoredReader } from './stored-reader.ts';

/** A thread that looks into an index: with a connection of its own, which only reads. */
const { index, archive, projects } = workerData as ReaderStart;
let over: Int32Array | null = null;
let opened: { readonly store: SqliteIndex; readonly reader: StoredReader } | null = null;

// What it is asked is answered without a rest, so questions do not mix.
parentPort?.on('message', async (question: ToReader) => {
  if (isEnd(question)) process.exit();
  over = question.over;
  const { number } = question;
  try {
    const answer = await answerTo(question);
    send({ number, looked, problems: problemsOf(opened), answer }, transferred(answer));
  } catch (error) {
    const code = error instanceof SkeinError ? error.code : null;
    send({
      number,
      looked,
      problems: problemsOf(opened),
      failed: { code, message: error instanceof Error ? error.message : String(error) },
    });
  }
});

const problemsOf = (at: typeof opened): readonly Finding[] => at?.reader.problems ?? [];

const isOver = (): boolean => over !== null && Atomics.load(over, 0) !== 0;

/** Volumes that were looked into. */
let looked = 0;

function isOverBefore(): boolean {
  const isEnded = isOver();
  if (!isEnded) looked++;
  return isEnded;
}

async function answerTo(question: ToReader): Promise<Questions[keyof Questions]['answer']> {
  if (isOver()) throw new SkeinError('aborted', 'The search was ended');
  opened ??= open();
  const { store, reader } = opened;
  switch (question.name) {
    case 'part':
      return store.search(question.ask.query, { portion: question.ask.portion, isOver: isOverBefore });
    case 'verify':
      return reader.verify(question.ask.clause, question.ask.hits);
    case 'hits':
      return reader.hits(question.ask.wanted, question.ask.ranked);
    case 'facetHits':
      return reader.facetHits([...question.ask.ids]);
  }
}

function open(): NonNullable<typeof opened> {
  const store = SqliteIndex.openToRead(index);
  if (!store) throw new SkeinError('unreadable', `The index ${index} cannot be read; \`skein index\` rebuilds it`);
  const receive = fileReceiver(archive === null ? null : () => SqliteArchive.openForReading(archive));
  const read = projects.map(({ path, logs }) => ({
    path,
    logs: logs.map(({ format, files }) => new Logs(formatOf(format), files.flatMap(receive))),
  }));
  return { store, reader: new StoredReader(read, store, isOver) };
}

const formatOf = (name: string): Format => formats.find((format) => format.name === name) as Format;

function send(message: FromReader, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

/** Columns are handed over, not copied. */
function transferred(answer: Questions[keyof Questions]['answer']): ArrayBuffer[] {
  return 'total' in answer ? Object.values(answer.hits).map(({ buffer }) => buffer as ArrayBuffer) : [];
}

parentPort?.postMessage(READY);
