import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { bestMatches, History, isPath, only, openDemo, type Session, type Thread } from '../history/index.ts';
import { type LogRecord, SkeinError, type Subagent } from '../model/index.ts';
import { orTellWhere } from './archived-elsewhere.ts';
import { openToFind, type RootOptions } from './options.ts';
import { tell, watchHistory, watchSession } from './unread.ts';

/** What an argument means: an id or a part of one, or a path. A file inside a known root means its session, any other is read alone. */
export function findSession(what: string, options: RootOptions): Session {
  const history = openToFind(options);
  if (!isPath(what)) {
    const own = history.projects.length === 0 ? openDemo() : history;
    return watchSession(orTellWhere(what, history.looked, () => own.find(what)));
  }
  const path = resolve(what);
  return watchSession(history.findFile(path) ?? readAlone(path));
}

function readAlone(path: string): Session {
  if (!existsSync(path)) throw new SkeinError('not_found', `${path} does not exist`);
  const lone = watchHistory(History.openFile(path));
  if (lone.projects.length > 0) for (const { message } of lone.problems) tell(message);
  const [first] = lone.projects.flatMap((project) => project.sessions());
  const why = lone.projects.length === 0 ? lone.problems[0]?.message : undefined;
  if (!first) throw new SkeinError('not_found', why ?? `No session found in ${path}`);
  return first;
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

/** A record by its id or the beginning of it; also by the id of a message in it (`…_tool_0`). */
export function findRecord(session: Session, name: string, among?: Iterable<LogRecord>): LogRecord {
  const known = session.record(name) ?? session.record(name.replace(/_(?:tool|result)_\d+$/, ''));
  if (!among && known?.session === session.id) return known;
  const found = bestMatches([...(among ?? session.allRecords())], name, ({ id, aliases }) => [
    ...[id, ...aliases].flatMap((each) => [each, each.slice(each.lastIndexOf('/') + 1)]),
  ]);
  return only('record', name, found, ({ id, kind }) => `${id}  ${kind}`);
}
