import { join } from 'node:path';
import { bestMatches, History, only } from '../history/index.ts';
import { type ArchiveReader, type FilePlace, type Format, type Line, SkeinError } from '../model/index.ts';
import { findArchived, type LogFile, readLog } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';
import { unitOf } from './tombstone.ts';

/** The archived files a text means: those of a session, by a part of its id, with everything that lies in their folders. */
export function filesOfSession(archive: ArchiveReader, all: readonly ArchivedFile[], id: string): ArchivedFile[] {
  const lone = promptsOnly(archive, id);
  if (lone)
    throw new SkeinError(
      'not_found',
      `Session ${lone.id} was deleted before it was archived: no file of it is there; "skein show ${lone.id}" prints its prompts`,
    );
  const units = unitsOfSession(archive, id) ?? withSubagents(archive, unitNamed(all, id));
  const wanted = new Set(units.map(unitKey));
  return all.filter((file) => wanted.has(unitKey(file)));
}

/** The session a text means, when only its prompts are left; null else. */
export function promptsOnly(
  archive: ArchiveReader,
  id: string,
): { readonly agent: string; readonly id: string } | null {
  const session = unlessNotFound(() => History.ofArchive(archive).find(id));
  return session?.project.isRecovered ? { agent: session.agent, id: session.id } : null;
}

/** Those of a project, by its working folder or the name of its folder among the logs. */
export function filesOfProject(archive: ArchiveReader, all: readonly ArchivedFile[], text: string): ArchivedFile[] {
  const places = placesOfProject(archive, text) ?? all.filter(({ project }) => project === text);
  const wanted = new Set(places.map(projectKey));
  const found = all.filter((file) => file.project !== '' && wanted.has(projectKey(file)));
  if (found.length === 0) throw new SkeinError('not_found', `No archived project found matching '${text}'`);
  return found;
}

const projectKey = ({ root, agent, project }: FilePlace): string => `${root}\n${agent}\n${project}`;
const unitKey = (file: FilePlace): string => `${projectKey(file)}\n${unitOf(file)}`;

/** A session may go over several files; null when none is called so. */
function unitsOfSession(archive: ArchiveReader, id: string): FilePlace[] | null {
  return unlessNotFound(() => {
    const session = History.ofArchive(archive).find(id);
    const ids = new Set(session.files.flatMap((file) => session.logs.file(file)?.kept?.id ?? []));
    return archive.keptFiles().filter((file) => ids.has(file.id));
  });
}

function placesOfProject(archive: ArchiveReader, text: string): FilePlace[] | null {
  return unlessNotFound(() => {
    const ids = new Set(
      History.ofArchive(archive)
        .findProject(text)
        .files.flatMap(({ kept }) => kept?.id ?? []),
    );
    return archive.keptFiles().filter((file) => ids.has(file.id));
  });
}

/** Files that make no session, such as an empty one, are known by their names. */
function unitNamed(all: readonly ArchivedFile[], id: string): FilePlace {
  const units = new Map(all.filter(({ project }) => project !== '').map((file) => [unitKey(file), file]));
  const found = bestMatches([...units.values()], id, (file) => [unitOf(file)]);
  return only('archived session', id, found, (file) => `${unitOf(file)}  ${file.project}`);
}

/** Sub-agents beside a log that says nothing: nobody shows them, and each names the session it belongs to. */
function withSubagents(archive: ArchiveReader, unit: FilePlace): FilePlace[] {
  const session = unitOf(unit);
  const kept = new Map(archive.keptFiles().map((file) => [file.id, file]));
  const around = join(unit.root, unit.project);
  const beside = findArchived(archive, (folder) => folder === around).flatMap(({ format, files }) =>
    format.name !== unit.agent ? [] : files.filter((file) => isSubagentOf(format, file, session)),
  );
  return [unit, ...beside.flatMap((file) => kept.get(file.kept?.id ?? -1) ?? [])];
}

const HEAD = 64 * 1024;

function isSubagentOf(format: Format, file: LogFile, session: string): boolean {
  if (file.facts.role !== 'subagent' || file.facts.session !== null) return false;
  let isOf = false;
  const look = (lines: readonly Line[]): void => {
    isOf ||= lines.some((line) => 'env' in line && line.env.session === session);
  };
  readLog(format, file, look, { bytes: HEAD });
  return isOf;
}

function unlessNotFound<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof SkeinError && error.code === 'not_found') return null;
    throw error;
  }
}
