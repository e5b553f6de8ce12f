import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeUtf8, type ResultBlock } from '../model/index.ts';
import { type LogFile, onDisk } from '../sources/index.ts';
import type { LineFiles, LineReader } from './line-reader.ts';

const LARGEST = 16 * 1024 * 1024;

/**
 * A result that was too long for the log lies in `<session>/tool-results/`, and is read from there only: the log names a path of the
 * machine that wrote it, of which nothing but the last name is believed. Without the file its preview stays (H3); `lines` is told when
 * the file is there and cannot be read.
 */
export function readOffloaded(
  logs: Pick<LineFiles, 'file'>,
  block: ResultBlock,
  lines: Pick<LineReader, 'missBeside'>,
): ResultBlock {
  const file = block.offloaded === undefined ? undefined : logs.file(block.at.file);
  if (!file || block.offloaded === undefined || file.bytes) return block;
  const tell: Tell = (path, error) => lines.missBeside(block.at, path, error);
  const output = file.kept ? readKept(file, block.offloaded, tell) : readFile(file, block.offloaded, tell);
  if (output === null) return block;
  const { detail: _preview, ...rest } = block;
  return { ...rest, output };
}

type Tell = (path: string, error: unknown) => void;

function readFile(file: LogFile, name: string, tell: Tell): string | null {
  const path = join(sessionFolder(file.path, file), 'tool-results', name);
  try {
    const found = lstatSync(onDisk(path));
    // A link could lead anywhere, also the folder itself.
    if (!found.isFile() || found.size > LARGEST || !isOwnFolder(dirname(path))) return null;
    return readFileSync(onDisk(path), 'utf8').toWellFormed();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') tell(path, error);
    return null;
  }
}

/** From the archive, where the log is read from there. */
function readKept(file: LogFile, name: string, tell: Tell): string | null {
  const path = `${sessionFolder(file.kept?.path ?? '', file)}/tool-results/${name}`;
  const found = file.kept?.sibling(path);
  if (!found || found.size > LARGEST) return null;
  try {
    return decodeUtf8(found.read(0, found.size)).toWellFormed();
  } catch (error) {
    tell(path, error);
    return null;
  }
}

const isOwnFolder = (path: string): boolean =>
  lstatSync(onDisk(path)).isDirectory() && lstatSync(onDisk(dirname(path))).isDirectory();

/** The folder of a session's own files; for a sub-agent that of the session around it. */
function sessionFolder(path: string, { facts }: LogFile): string {
  if (facts.session === null) return path.replace(/\.jsonl$/, '');
  const parts = path.split(/[\\/]/);
  return parts.slice(0, parts.lastIndexOf(facts.session) + 1).join('/') || path;
}
