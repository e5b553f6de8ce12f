import { addAll } from '../model/index.ts';
import type { Problem } from '../sources/index.ts';
import type { FindingCounts } from '../stores/index.ts';
import { addFindings } from './count-findings.ts';
import { changeOf, isAnother } from './file-changes.ts';
import { FileIslands } from './file-islands.ts';
import { type JobReport, type JobStore, type TreeJob, type TreeRun, waitForSaved } from './index-jobs.ts';

/** A tree that is too large for memory: islands of its files, each as a tree of its own until its rows are written. */
export async function indexInIslands(job: TreeJob, most: number, store: JobStore, run: TreeRun): Promise<JobReport> {
  const changed = job.complete ? await indexChanged(job, most, store, run) : null;
  return changed ?? indexAll(job, most, store, run);
}

/** Only islands with something new are put together. Null: all of it has to be read. */
async function indexChanged(job: TreeJob, most: number, store: JobStore, run: TreeRun): Promise<JobReport | null> {
  const { source, known, generations, saved = null } = job;
  const entries = new Map(known.map((entry) => [entry.id, entry]));
  const changes = new Map(
    source.files.map((file) => [
      file,
      changeOf(file, entries.get(file.facts.id), () => generations.get(file.facts.id) ?? null),
    ]),
  );
  if ([...changes.values()].some(isAnother)) return null;
  const chunks = await store.chunks(source.key);
  const files = new FileIslands(source.format, waitForSaved(saved));
  files.recall(known, chunks);
  files.read(source.files);
  const sum = new Sum(await store.findings(source.key));
  for (const island of files.islands(source.files, most)) {
    if (island.every((file) => changes.get(file) === 'same')) continue;
    const ids = new Set(island.map(({ facts }) => facts.id));
    const part = { ...job, source: { ...source, files: island }, known: known.filter(({ id }) => ids.has(id)) };
    const index = run.open(
      part,
      source.format,
      chunks.filter(({ file }) => ids.has(file)),
    );
    sum.takeBack(index.countFindings());
    for (const written of run.update(index, part, true)) await store.write(written);
    sum.add(index);
  }
  // What came meanwhile may tie one of them to another.
  return files.read(source.files) ? null : end(job, sum, store, run);
}

async function indexAll(job: TreeJob, most: number, store: JobStore, run: TreeRun): Promise<JobReport> {
  const { source, known, dropTrees, saved = null } = job;
  const { key, format, project } = source;
  const tree = { key, agent: format.name, project, complete: false };
  const files = new FileIslands(format, waitForSaved(saved));
  let sum = new Sum();
  // Again, where a line that came meanwhile ties what was apart.
  for (let isFirst = true; files.read(source.files); isFirst = false) {
    sum = new Sum();
    const dropFiles = [...new Set([...known.map(({ id }) => id), ...source.files.map(({ facts }) => facts.id)])];
    await store.write({ batch: { tree, anew: true, dropFiles, ...(isFirst && { dropTrees }) } });
    for (const island of files.islands(source.files, most)) {
      const part = { ...job, source: { ...source, files: island }, known: [], complete: false, dropTrees: [] };
      const index = run.open(part, format, []);
      for (const written of run.update(index, part, true)) await store.write(written);
      sum.add(index);
    }
  }
  return end(job, sum, store, run);
}

async function end({ source: { key } }: TreeJob, sum: Sum, store: JobStore, run: TreeRun): Promise<JobReport> {
  for (const written of run.complete(key)) await store.write(written);
  await store.write({ tree: key, findings: sum.findings });
  return sum;
}

/** What all islands report together. */
class Sum implements JobReport {
  bytesRead = 0;
  readonly problems: Problem[] = [];
  findings: FindingCounts;

  constructor(findings: FindingCounts = { error: 0, warning: 0, note: 0 }) {
    this.findings = findings;
  }

  add(index: ReturnType<TreeRun['open']>): void {
    this.bytesRead += index.bytesRead;
    addAll(this.problems, index.problems);
    this.findings = addFindings(this.findings, index.countFindings());
  }

  /** What is counted again afterwards. */
  takeBack(findings: FindingCounts): void {
    this.findings = addFindings(this.findings, findings, -1);
  }
}
