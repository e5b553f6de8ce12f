import { eachRecord } from '../../messages/index.ts';
import type { Finding } from '../../model/index.ts';
import { matcherOf, type SearchRequest, withTitle } from '../../search/index.ts';
import type { Logs } from '../logs.ts';
import type { Project } from '../project.ts';
import { Session } from '../session.ts';
import { findingOf, type Unread } from '../unread.ts';
import { findPlaces, Places } from './find-places.ts';
import { type GatheredHits, HitGatherer } from './gather-hits.ts';
import { searchedMessages } from './searched-messages.ts';

/** What the logs of one agent in one project have. */
export interface ScannedLogs extends GatheredHits {
  /** That were gone through. */
  readonly bytes: number;
  readonly problems: readonly Finding[];
}

/** What of a request concerns one log. */
export type Scanned = Pick<SearchRequest, 'clause' | 'pattern' | 'snippet'>;

export interface Watched {
  /** Told before each message is looked at, and after. */
  looking(): void;
  looked(): void;
}

/** The raw bytes first; only when some line may match, the logs are read and what it belongs to is looked at. */
export function scanLogs(project: Project, logs: Logs, wanted: Scanned, watched?: Watched): ScannedLogs {
  const places = new Places();
  const missed: Unread[] = [];
  const bytes = findPlaces(logs, wanted, places, missed);
  if (places.isEmpty) return { hits: [], more: [], uncounted: 0, bytes, problems: missed.map(findingOf) };
  const gathered = new HitGatherer(matcherOf(wanted), wanted.snippet);
  const { tree } = logs.read();
  const sessions = tree.sessionIds().map((id) => new Session(project, logs, id));
  // Newest first: of what is older less has to be made.
  sessions.sort((a, b) => (b.facts.endedAt ?? 0) - (a.facts.endedAt ?? 0));
  for (const session of sessions) scanSession(session, places, gathered, watched);
  const { unread } = logs;
  const further = missed.filter(({ file }) => !unread.some((each) => each.file === file));
  return { ...gathered.end(), bytes, problems: [...unread, ...further].map(findingOf) };
}

function scanSession(session: Session, places: Places, gathered: HitGatherer, watched: Watched | undefined): void {
  const { tree } = session.logs.read();
  const { title } = session.facts;
  // A title taken from a prompt is found there.
  let titleText = title && 'text' in title ? title.text : null;
  for (const { record, spawn } of eachRecord(tree, session.id)) {
    const isTitled = titleText !== null;
    if (!isTitled && !places.hasRecord(record)) continue;
    for (const [i, found] of searchedMessages(session, record, spawn).entries()) {
      const text = i === 0 && isTitled ? withTitle(found.searched.text, titleText) : found.searched.text;
      watched?.looking();
      gathered.look({ ...found, searched: { ...found.searched, text } });
      watched?.looked();
    }
    titleText = null;
  }
}
