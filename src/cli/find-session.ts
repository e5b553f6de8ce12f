import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { bestMatches, History, isPath, only, openDemo, type Session, type Thread } from '../history/index.ts';
import { SkeinError, type Subagent } from '../model/index.ts';
import { openHistory, type RootOptions } from './options.ts';

/** The session an argument means: an id or a part of one, or a path. A file inside a known root means its session, any other is read alone. */
export function findSession(what: string, options: RootOptions): Session {
  const history = openHistory(options);
  if (!isPath(what)) return (history.projects.length === 0 ? openDemo() : history).find(what);
  const path = resolve(what);
  const known = history.findFile(path);
  if (known) return known;
  if (!existsSync(path)) throw new SkeinError('not_found', `${path} does not exist`);
  const lone = History.openFile(path);
  for (const { message } of lone.problems) process.stderr.write(`skein: ${message}\n`);
  const [session] = lone.projects.flatMap((project) => project.sessions());
  if (!session) throw new SkeinError('not_found', `No session found in ${path}`);
  return session;
}

/** By its first or last record; without a name the one to show first. */
export function findThread(session: Session, name: string | undefined): Thread | null {
  if (name === undefined) return session.defaultThread;
  const found = bestMatches(session.threads, name, ({ facts }) => [facts.id, facts.leaf]);
  return only('thread', name, found, ({ facts, summary }) => `${facts.id}  ${summary.slice(0, 60)}`);
}

export function findSubagent({ facts }: Session, name: string): Subagent {
  const found = bestMatches(facts.subagents, name, ({ id }) => [id]);
  return only('sub-agent', name, found, ({ id, recordCount }) => `${id}  ${recordCount} records`);
}
