import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LineRef, SessionId } from '../../model/index.ts';
import {
  type ChangedSessions,
  type Chunk,
  type FileEntry,
  type FindingCounts,
  type FoundMessage,
  type FoundPlace,
  MESSAGE_TYPES,
  type Page,
  type ProjectSummary,
  type SessionEntry,
  type StoredMessage,
  type StoredSession,
  type StoredSessionQuery,
  type StoredUsage,
  type TextAt,
  type TreeEntry,
  type UsageQuery,
  type Window,
} from '../index-store.ts';
import { Bits } from '../packed-rows.ts';
import { unchecked } from './checked-json.ts';
import { CHUNK_SPAN, PROMPT_SPAN } from './index-schema.ts';
import { besideFacts } from './index-write.ts';
import { type Details, type NumberedRef, unpackDetails } from './message-details.ts';
import { prepared } from './prepared.ts';

/** Everything that asks for rows. */

// biome-ignore lint/suspicious/noExplicitAny: the columns of a query are written beside where they are used
type Row = any;

export const readTrees = (db: DatabaseSync): TreeEntry[] =>
  db.prepare('select * from trees order by key').all().map(treeOf);

const treeOf = (row: Row): TreeEntry => ({
  key: row.key,
  agent: row.agent,
  project: projectOf(row),
  complete: row.complete === 1,
});

export const projectOf = ({ key, agent, project, path, names }: Row) => ({
  id: project,
  path,
  names: JSON.parse(unchecked(names, [key, agent, project, path])),
});

/** Of a row with the columns `id` and `ended`. */
export const sessionOf = ({ data, id, ended }: Row): SessionEntry => JSON.parse(unchecked(data, [id, ended]));

export function readFiles(db: DatabaseSync, tree?: string): FileEntry[] {
  const rows = db
    .prepare(`select files.*, trees.key from files join trees on trees.num = files.tree
      where facts is not null and (? is null or trees.key = ?) order by files.tree, files.id`)
    .all(tree ?? null, tree ?? null);
  return rows.map((row: Row) => ({
    tree: row.key,
    id: row.id,
    facts: JSON.parse(unchecked(row.facts, besideFacts(row))),
    path: row.path,
    size: row.size,
    modified: row.modified,
    generation: row.generation,
    offset: row.offset,
    line: row.line,
    state: JSON.parse(unchecked(row.state)),
    lines: row.lines,
    torn: row.torn === null ? null : JSON.parse(unchecked(row.torn)),
  }));
}

export function readChunks(db: DatabaseSync, tree: string): Chunk[] {
  const files = db
    .prepare(
      'select files.num, files.id from files join trees on trees.num = files.tree where trees.key = ? order by files.id',
    )
    .all(tree);
  const chunks = db.prepare('select id, bytes from chunks where id >= ? and id < ? order by id');
  return files.flatMap(({ num, id }: Row) =>
    chunks
      .all(num * CHUNK_SPAN, (num + 1) * CHUNK_SPAN)
      .map((row: Row) => ({ file: id, index: row.id - num * CHUNK_SPAN, bytes: row.bytes })),
  );
}

/** Revisions are told whole, so it may be a few more than asked for. */
export function readChanges(db: DatabaseSync, after: number, limit: number, newest: number): ChangedSessions {
  const last = db
    .prepare('select revision from sessions where revision > ? order by revision limit 1 offset ?')
    .get(after, Math.max(0, limit - 1)) as Row;
  const revision = last?.revision ?? newest;
  const rows = db
    .prepare(`select sessions.id, sessions.data is null as gone, trees.key from sessions
      join trees on trees.num = sessions.tree where revision > ? and revision <= ? order by revision, sessions.num`)
    .all(after, revision) as Row[];
  return { revision, sessions: rows.map((row) => ({ tree: row.key, id: row.id, gone: row.gone === 1 })) };
}

export function readProjects(db: DatabaseSync): ProjectSummary[] {
  const rows = db
    .prepare(`select trees.*, count(sessions.data) as sessions, max(sessions.ended) as ended from trees
      left join sessions on sessions.tree = trees.num and sessions.data is not null group by trees.num order by trees.key`)
    .all() as Row[];
  const byPath = new Map<string, ProjectSummary>();
  for (const row of rows) {
    const known = byPath.get(row.path);
    byPath.set(row.path, {
      ...projectOf(row),
      agents: [...(known?.agents ?? []), row.agent],
      sessionCount: (known?.sessionCount ?? 0) + row.sessions,
      lastActivity:
        row.ended === null ? (known?.lastActivity ?? null) : Math.max(row.ended, known?.lastActivity ?? row.ended),
    });
  }
  return [...byPath.values()].sort((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0));
}

export const readSessionNames = (db: DatabaseSync, tree: string) =>
  db
    .prepare(`select sessions.id, sessions.ended, sessions.data from sessions join trees on trees.num = sessions.tree
      where trees.key = ? and data is not null`)
    .all(tree)
    .map((row: Row) => ({ id: row.id as string, aliases: sessionOf(row).aliases }));

/** Before the key of a tree, in the table of single values. */
export const FINDINGS = 'findings ';

export function readFindings(db: DatabaseSync, tree: string | null): FindingCounts {
  const sums = { error: 0, warning: 0, note: 0 };
  const rows = db
    .prepare('select value from trees join meta on meta.name = ? || trees.key where ? is null or trees.key = ?')
    .all(FINDINGS, tree, tree);
  for (const row of rows) {
    const counts = JSON.parse(unchecked((row as Row).value)) as FindingCounts;
    for (const severity of ['error', 'warning', 'note'] as const) sums[severity] += counts[severity];
  }
  return sums;
}

export function readSessions(db: DatabaseSync, query: StoredSessionQuery): StoredSession[] {
  const { range, projects, id } = query;
  const rows = db
    .prepare(`select sessions.*, trees.key, trees.agent, trees.project, trees.path, trees.names from sessions
      join trees on trees.num = sessions.tree
      where data is not null and (? is null or sessions.id = ?)
        and (? is null or trees.path in (select value from json_each(?)))
      order by ended is null, ended desc, sessions.id`)
    .all(id ?? null, id ?? null, ...given(projects)) as Row[];
  const textAt = textReader(db);
  return rows.flatMap((row) => {
    const entry = sessionOf(row);
    if (range && !fallsInto(entry, range)) return [];
    const text = (at: TextAt): string => textAt(row.tree, at).replace(/\s+/g, ' ').trim();
    return {
      ...entry,
      tree: row.key,
      agent: row.agent,
      project: projectOf(row),
      revision: row.revision,
      title: entry.title === null ? null : text(entry.title) || null,
      threadCount: entry.threads.length,
      threads: query.threads
        ? entry.threads.map((thread) => ({
            ...thread,
            summary: typeof thread.summary === 'string' ? text(thread.summary) : twoTexts(thread.summary, text),
          }))
        : [],
    };
  });
}

const twoTexts = ([first, last]: readonly [TextAt, TextAt], text: (at: TextAt) => string): [string, string] => [
  text(first),
  text(last),
];

const given = (list: readonly string[] | undefined): [string | null, string | null] => {
  const json = list ? JSON.stringify(list) : null;
  return [json, json];
};

/** Of a range that begins and ends while something was said the pauses decide, and those below 15 minutes are not kept. */
function fallsInto({ active, startedAt, endedAt }: SessionEntry, { from, to }: { from: number; to: number }): boolean {
  if (startedAt === null || endedAt === null) return false;
  for (let i = 0; i + 1 < active.length; i += 2)
    if ((active[i] as number) < to && (active[i + 1] as number) >= from) return true;
  return false;
}

function textReader(db: DatabaseSync): (tree: number, at: TextAt) => string {
  const findFile = prepared(db, 'select num, torn from files where tree = ? and id = ?');
  const find = prepared(db, 'select text from prompts where id = ?');
  return (tree, at) => {
    if (typeof at === 'string') return at;
    for (const [id, line] of at) {
      const file = findFile.get(tree, id) as Row;
      const prompt = file && (find.get(file.num * PROMPT_SPAN + line) as Row);
      const text = prompt ? unchecked(prompt.text) : file && tornPrompt(file.torn, line);
      if (text) return text;
    }
    return '';
  };
}

function tornPrompt(torn: string | null, line: number): string | null {
  const last: FileEntry['torn'] = torn === null ? null : JSON.parse(unchecked(torn));
  return last?.line.ref.line === line ? last.prompt : null;
}

export function readUsages(db: DatabaseSync, { projects, range }: UsageQuery): StoredUsage[] {
  const statement =
    db.prepare(`select usages.*, names.text as model_name, sessions.id as session_id, trees.path from usages
    join names on names.num = usages.model join sessions on sessions.num = usages.session join trees on trees.num = sessions.tree
    where (? is null or trees.path in (select value from json_each(?))) and (? is null or (time >= ? and time < ?))`);
  statement.setReadBigInts(true);
  const found: StoredUsage[] = [];
  const [from, to] = range ? [range.from, range.to] : [null, null];
  for (const row of statement.iterate(...given(projects), from, from, to) as Iterable<Row>)
    found.push({
      usage: {
        key: String(row.key),
        model: row.model_name,
        input: Number(row.input),
        output: Number(row.output),
        cacheRead: Number(row.cache_read),
        cacheWrite5m: Number(row.cache_5m),
        cacheWrite1h: Number(row.cache_1h),
        costUsd: row.cost === null ? null : Number(row.cost),
        ...(row.fast === 1n ? { fast: true as const } : {}),
        ...((row.flags & 4n) === 4n ? { isCopy: true as const } : {}),
      },
      time: row.time === null ? null : Number(row.time),
      session: row.session_id,
      project: row.path,
      isSubagent: (row.flags & 1n) === 1n,
    });
  return found;
}

const MESSAGE = `select m.bits, m.time, m.details, above.type as above_type, above.details as above_details, top.details as top_details,
        agent.text as agent_name, sessions.id as session_id, trees.key as tree_key
      from messages m left join messages above on above.id = m.parent left join messages top on top.id = above.parent
      join sessions on sessions.num = m.session join trees on trees.num = sessions.tree left join names agent on agent.num = m.agent`;

/** What `readFound` says of them, as far as it is needed to read their text. */
export function readPlaces(db: DatabaseSync, ids: readonly bigint[]): FoundPlace[] {
  const find = prepared(
    db,
    `select m.type, m.details, sessions.id as session_id, trees.key as tree_key
      from messages m join sessions on sessions.num = m.session join trees on trees.num = sessions.tree where m.id = ?`,
  );
  const texts = numberedTexts(db);
  return ids.flatMap((id) => {
    const row = find.get(id) as Row;
    if (!row) return [];
    const { nth, ...details } = unpackDetails(row.details);
    return {
      ...{ id, tree: row.tree_key, session: row.session_id, type: MESSAGE_TYPES[row.type] ?? 'user' },
      ...{ ...texts.places(details), nth, toolName: texts.name(details.tool) },
    };
  });
}

/** What the numbers in details stand for. */
export function numberedTexts(db: DatabaseSync) {
  const file = textFinder(prepared(db, 'select id as text from files where num = ?'));
  const name = textFinder(prepared(db, 'select text from names where num = ?'));
  const place = (ref: NumberedRef): LineRef => ({ ...ref, file: file(ref.file) });
  return {
    name: (num: number | null): string | null => (num === null ? null : name(num)),
    places: ({ at, more }: Pick<Details, 'at' | 'more'>) => ({ at: place(at), more: more.map(place) }),
  };
}

/** Looks each up once. */
function textFinder(find: StatementSync): (num: number) => string {
  const known = new Map<number, string>();
  return (num) => {
    const text = known.get(num) ?? (find.get(num) as Row)?.text ?? '';
    known.set(num, text);
    return text;
  };
}

export function readFound(db: DatabaseSync, ids: readonly bigint[]): FoundMessage[] {
  const find = prepared(db, `${MESSAGE} where m.id = ?`);
  const modelOf = prepared(
    db,
    'select names.text from usages join names on names.num = usages.model where usages.id = ?',
  );
  const recordOf = prepared(
    db,
    `select case when m.type < 2 then m.id when above.type < 2 then above.id else above.parent end as id
    from messages m left join messages above on above.id = m.parent where m.id = ?`,
  );
  recordOf.setReadBigInts(true);
  const texts = numberedTexts(db);
  return ids.flatMap((id) => {
    const row = find.get(id) as Row;
    if (!row) return [];
    const details = unpackDetails(row.details);
    const message = messageOf(row, details, row.session_id, texts);
    const isTool = message.type === 'tool_use' || message.type === 'tool_result';
    const record = isTool ? message.uuid.replace(/_(?:tool|result)_\d+$/, '') : message.uuid;
    const model = (modelOf.get((recordOf.get(id) as Row).id) as Row)?.text ?? null;
    return { ...message, id, tree: row.tree_key, record, nth: details.nth, model };
  });
}

/** One line, as lists show it. */
export function readTitle(
  db: DatabaseSync,
  { tree, id }: { readonly tree: string; readonly id: SessionId },
): string | null {
  const row = prepared(
    db,
    'select sessions.id, sessions.ended, sessions.tree, data from sessions join trees on trees.num = sessions.tree where trees.key = ? and sessions.id = ?',
  ).get(tree, id) as Row;
  if (!row?.data) return null;
  const { title } = sessionOf(row);
  return title === null ? null : textReader(db)(row.tree, title).replace(/\s+/g, ' ').trim() || null;
}

export function readMessages(
  db: DatabaseSync,
  { tree, id }: { readonly tree: string; readonly id: SessionId },
  { skip, limit }: Window,
): Page<StoredMessage> {
  const session = db
    .prepare(
      'select sessions.id, sessions.ended, sessions.num, sessions.data from sessions join trees on trees.num = sessions.tree where trees.key = ? and sessions.id = ?',
    )
    .get(tree, id) as Row;
  if (!session?.data) return { items: [], total: 0 };
  const { subagents, messageCount } = sessionOf(session);
  const hidden = JSON.stringify(subagents.filter((subagent) => subagent.hidden).map((subagent) => subagent.id));
  const rows = db
    // The keys do not fit into a number, and nobody asks for them.
    .prepare(`${MESSAGE}
      where m.session = ? and m.hidden = 0 and (m.agent is null or agent.text not in (select value from json_each(?)))
      order by m.time, m.details limit ? offset ?`)
    .all(session.num, hidden, limit, skip) as Row[];
  const texts = numberedTexts(db);
  return {
    items: rows.map((row) => messageOf(row, unpackDetails(row.details), id, texts)),
    total: messageCount,
  };
}

function messageOf(
  row: Row,
  details: Details,
  session: SessionId,
  texts: ReturnType<typeof numberedTexts>,
): StoredMessage {
  const type = MESSAGE_TYPES[row.bits & Bits.type] ?? 'user';
  const above = row.above_details && unpackDetails(row.above_details);
  const top = row.top_details && unpackDetails(row.top_details);
  const isNested = type === 'tool_result' && MESSAGE_TYPES[row.above_type] === 'tool_use';
  const record = (isNested ? top?.uuid : null) ?? above?.uuid ?? null;
  const isTool = type === 'tool_use' || type === 'tool_result';
  return {
    uuid: isTool ? `${record}_${type === 'tool_use' ? 'tool' : 'result'}_${details.number}` : (details.uuid ?? ''),
    parentUuid: isNested ? `${record}_tool_${above.number}` : (above?.uuid ?? null),
    session,
    type,
    kind: texts.name(details.kind) ?? '',
    isSidechain: (row.bits & Bits.isSidechain) !== 0,
    time: row.time,
    ...texts.places(details),
    toolName: texts.name(details.tool),
    isError: row.bits & Bits.hasStatus ? (row.bits & Bits.isError) !== 0 : null,
    agent: row.agent_name,
  };
}
