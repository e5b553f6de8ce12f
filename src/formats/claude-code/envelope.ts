import {
  type ChainLine,
  type Env,
  type FileFacts,
  INLINE,
  type Key,
  type LineRef,
  parseTime,
  type SubagentId,
  type Warning,
} from '../../model/index.ts';
import { type JsonObject, textOf } from '../lines/index.ts';

/** What every line of a file has in common, kept between lines so that equal neighbours share it. */
export interface Context {
  readonly file: FileFacts;
  readonly stem: string;
  env: Env;
  /** The id of the line before: as a parent it is the same text, held once. */
  last: string | null;
  readonly survey: boolean;
  /** Whether the blocks of lines will be asked for. */
  readonly blocks: boolean;
  /** Whether what tools say beside their results will be. */
  readonly details: boolean;
}

/** The fields of a chain line that do not depend on its type. */
export type Envelope = Pick<ChainLine, 'ref' | 'key' | 'parent' | 'time' | 'subagent' | 'env' | 'warnings'>;

export function readEnvelope(
  object: JsonObject,
  context: Context,
  ref: LineRef,
  warnings: readonly Warning[],
): Envelope {
  const key = textOf(object.uuid) ?? keyByPlace(context, ref);
  const parent = textOf(object.parentUuid);
  const before = context.last;
  context.last = key;
  return {
    ref,
    key,
    parent: parent === before ? before : parent,
    time: parseTime(object.timestamp),
    subagent: subagentOf(object, context.file),
    env: envOf(object, context),
    warnings,
  };
}

/** A line without uuid is named by where it stands; files only grow, so the name stays. */
export const keyByPlace = (context: Context, ref: LineRef): Key => `${context.stem}:${ref.line}`;

/** A sub-agent's file belongs to it whole; in a session's file `isSidechain` decides, whatever the file's name (H12). */
function subagentOf(object: JsonObject, file: FileFacts): SubagentId | null {
  if (file.role === 'subagent') return file.native;
  if (object.isSidechain !== true) return null;
  return textOf(object.agentId) ?? INLINE;
}

function envOf(object: JsonObject, context: Context): Env {
  const last = context.env;
  const cwd = textOf(object.cwd) ?? last.cwd;
  const version = textOf(object.version) ?? last.version;
  const gitBranch = typeof object.gitBranch === 'string' ? object.gitBranch || null : last.gitBranch;
  const slug = textOf(object.slug) ?? last.slug;
  const session = textOf(object.sessionId) ?? last.session;
  if (
    last.cwd === cwd &&
    last.version === version &&
    last.gitBranch === gitBranch &&
    last.slug === slug &&
    last.session === session
  )
    return last;
  context.env = { cwd, version, gitBranch, slug, session };
  return context.env;
}
