import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Command } from 'commander';
import { findDeletions, isUpToDate, readExclude } from '../../ingest/index.ts';
import { discoverRoots, openRoots } from '../../sources/index.ts';
import type { FindingCounts } from '../../stores/index.ts';
import type { NoteTotals } from '../../stores/notes-store.ts';
import type { Totals } from '../../stores/store.ts';
import { print, warn } from '../../terminal/output.ts';
import { isoTime, jsonText } from '../../views/json/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { openArchive } from '../data-folder.ts';
import { archivePath, dataFolder, indexPath, notesPath } from '../data-place.ts';
import { readNotes } from '../notes.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { formatNumber, formatSize, plural } from '../table.ts';

interface Options extends RootOptions {
  readonly json?: boolean;
}

type Deletions = ReturnType<typeof findDeletions>;

export function define(command: Command): void {
  addRootOption(command)
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  skein status\n  skein status --json')
    .action((options: Options) => run(options));
}

const NOTHING: Totals = {
  files: 0,
  bytes: 0,
  artifacts: 0,
  artifactBytes: 0,
  gone: 0,
  goneBytes: 0,
  older: 0,
  olderBytes: 0,
  damaged: 0,
  storedBytes: 0,
  lastRun: null,
};

async function run(options: Options): Promise<void> {
  const archive = openArchive();
  const totals = (await archive?.totals()) ?? NOTHING;
  const files = (await archive?.files()) ?? [];
  const tombstones = (await archive?.tombstones()) ?? new Set<string>();
  await archive?.close();
  const notes = await readNotes((store) => store.totals(), null);
  const roots = options.root ? openRoots(options.root) : discoverRoots({ env: process.env, home: homedir() });
  const deletions = findDeletions(roots, readExclude(dataFolder()), isUpToDate(files, tombstones));
  const sizes = { archive: sizeOf(archivePath()), index: sizeOf(indexPath()) };
  const index = await readIndex();
  print(
    options.json
      ? `${jsonText(jsonOf(totals, deletions, sizes, index, notes), 2)}\n`
      : render(totals, deletions, sizes, index, notes),
  );
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

interface Sizes {
  readonly archive: number;
  readonly index: number;
}

/** What an index says of itself. */
interface IndexFacts {
  readonly hasText: boolean;
  /** Counted when the logs were indexed. */
  readonly findings: FindingCounts;
  /** Projects of which not everything is in it: a run was interrupted, or they were left out. */
  readonly unfinished: readonly string[];
}

/** Null when there is none, or one of another version. */
async function readIndex(): Promise<IndexFacts | null> {
  if (!existsSync(indexPath())) return null;
  const { SqliteIndex } = await import('../../stores/sqlite/index-db.ts');
  try {
    const index = SqliteIndex.openToRead(indexPath());
    if (!index) return null;
    const unfinished = (await index.trees()).flatMap(({ complete, project }) => (complete ? [] : [project.path]));
    const facts = { hasText: await index.hasText(), findings: await index.findings(), unfinished };
    await index.close();
    return facts;
  } catch (error) {
    warn((error as Error).message);
    return null;
  }
}

const jsonOf = (
  totals: Totals,
  deletions: Deletions,
  sizes: Sizes,
  index: IndexFacts | null,
  notes: NoteTotals | null,
) => ({
  home: dataFolder(),
  archive: {
    path: archivePath(),
    size: sizes.archive,
    files: totals.files,
    bytes: totals.bytes,
    artifacts: totals.artifacts,
    artifact_bytes: totals.artifactBytes,
    gone: totals.gone,
    gone_bytes: totals.goneBytes,
    older_generations: totals.older,
    older_bytes: totals.olderBytes,
    damaged: totals.damaged,
    stored_bytes: totals.storedBytes,
    ratio: ratioOf(totals, sizes.archive),
    last_index: isoTime(totals.lastRun?.endedAt ?? null),
  },
  index: {
    path: indexPath(),
    size: sizes.index,
    full_text: index?.hasText ?? null,
    unfinished: index?.unfinished ?? [],
  },
  findings: index && findingsJson(index),
  notes: { path: notesPath(), ...(notes ?? NO_NOTES) },
  deletions: deletions.map(({ agent, root, afterDays, files, soon, first, unarchived }) => ({
    agent,
    root,
    after_days: afterDays,
    files,
    within_7_days: soon,
    first: isoTime(first),
    unarchived,
  })),
});

const findingsJson = ({ findings: { error, warning, note } }: IndexFacts) => ({
  errors: error,
  warnings: warning,
  notes: note,
});

const NO_NOTES: NoteTotals = { labels: 0, stars: 0, notes: 0, settings: 0 };

const ratioOf = ({ bytes, olderBytes }: Totals, size: number): number | null =>
  bytes + olderBytes === 0 ? null : Number((size / (bytes + olderBytes)).toFixed(3));

function render(
  totals: Totals,
  deletions: Deletions,
  { archive: size, index: indexSize }: Sizes,
  index: IndexFacts | null,
  notes: NoteTotals | null,
): string {
  const { files, bytes, artifacts, gone, goneBytes, older, olderBytes, damaged, lastRun } = totals;
  const ratio = ratioOf(totals, size);
  const lines = [
    `Archive      ${archivePath()}${size === 0 ? ' (nothing yet: run "skein index")' : ''}`,
    `Archived     ${plural(files, 'file')}, ${formatSize(bytes)}; ${notLogs(artifacts)}`,
    `On disk      ${formatSize(size)}${ratio === null || ratio > 1 ? '' : `, ${(ratio * 100).toFixed(0)} % of what was written`}`,
    `Gone         ${plural(gone, 'file')}, ${formatSize(goneBytes)}: deleted by the agent, kept here`,
    ...(older > 0 ? [`Rewritten    ${plural(older, 'older content')}, ${formatSize(olderBytes)}`] : []),
    ...(damaged > 0
      ? [
          `Damaged      ${plural(damaged, 'archived file')} cannot be read whole any more; "skein index --verify" names them`,
        ]
      : []),
    `Index        ${indexSize === 0 ? 'none' : formatSize(indexSize)}${index?.hasText === false ? ', without full text' : ''}`,
    ...(index?.unfinished ?? []).map((path) => `Not indexed  ${path}: "skein index" says why`),
    ...(index ? [`Findings     ${findingsIn(index.findings)}`] : []),
    `Last index   ${lastRun ? formatTime(lastRun.endedAt) : 'never'}`,
    ...(notes === null ? [] : [`Notes        ${notesPath()}: ${noteText(notes)}`]),
    ...deletions.map(
      ({ root, afterDays, soon, first, unarchived, files: logs }) =>
        `Will delete  ${root}: ${plural(logs, 'log')} after ${plural(afterDays, 'day')}, ${formatNumber(soon)} within a week${
          first === null ? '' : `, the first on ${formatTime(first)}`
        }; ${unarchived === 0 ? 'nothing is left to archive' : `${formatNumber(unarchived)} not archived as they are now`}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const notLogs = (artifacts: number): string =>
  artifacts === 1 ? '1 of them is not a log' : `${formatNumber(artifacts)} of them are not logs`;

function findingsIn({ error, warning, note }: FindingCounts): string {
  if (error + warning + note === 0) return 'none';
  return `${plural(error, 'error')}, ${plural(warning, 'warning')}, ${plural(note, 'note')}; "skein check" lists them`;
}

const noteText = ({ labels, stars, notes, settings }: NoteTotals): string =>
  [plural(labels, 'label'), plural(stars, 'star'), plural(notes, 'note'), plural(settings, 'setting')].join(', ');
