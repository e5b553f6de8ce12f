import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { CHUNK_SPAN, PROMPT_SPAN } from './index-schema.ts';
import { addTextDigest } from './text-digest.ts';

/** Rows with names instead of numbers, sorted by key: what is left out is when they were written and when a file was last touched. */
const QUERIES: readonly string[] = [
  'select key, agent, project, path, names, complete from trees order by key',
  `select trees.key as tree, files.id, facts, files.path, size, offset, line, lines, state, torn from files join trees on trees.num = files.tree
    where facts is not null order by trees.key, files.id`,
  `select trees.key as tree, files.id, chunks.id % ${CHUNK_SPAN}, bytes from chunks join files on files.num = chunks.id / ${CHUNK_SPAN}
    join trees on trees.num = files.tree order by trees.key, files.id, chunks.id`,
  `select trees.key as tree, files.id, prompts.id % ${PROMPT_SPAN}, text from prompts join files on files.num = prompts.id / ${PROMPT_SPAN}
    join trees on trees.num = files.tree order by trees.key, files.id, prompts.id`,
  `select trees.key, sessions.id, ended, data from sessions join trees on trees.num = sessions.tree
    where data is not null order by trees.key, sessions.id`,
  `select m.id, trees.key as tree, sessions.id as session, parent, type, sidechain, time, uuid, kind.text as kind, hidden, number, nth, files.id as file, line, m.offset,
      bytes, tool.text as tool,
      is_error, agent.text as agent, more as places
    from messages m join sessions on sessions.num = m.session join trees on trees.num = sessions.tree join names kind on kind.num = m.kind
    join (select num, id from files) files on files.num = m.file left join names tool on tool.num = m.tool
    left join names agent on agent.num = m.agent order by m.id`,
  `select u.id, trees.key as tree, sessions.id as session, u.key, names.text as model, input, output, cache_read, cache_5m, cache_1h, cost, fast, time, subagent
    from usages u join sessions on sessions.num = u.session join trees on trees.num = sessions.tree join names on names.num = u.model order by u.id`,
];

export function digestOf(db: DatabaseSync): string {
  const hash = createHash('sha256');
  const fileOf = db.prepare('select id from files where num = ?');
  const withNames = (places: string): string =>
    places.replace(FOREIGN, (_, place, num) => place + (fileOf.get(Number(num)) as { id: string } | undefined)?.id);
  for (const sql of QUERIES) {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
      if (typeof row.places === 'string') row.places = withNames(row.places);
      for (const value of Object.values(row)) hash.update(plain(value)).update('\t');
      hash.update('\n');
    }
    hash.update('\n\n');
  }
  addTextDigest(db, hash);
  return hash.digest('hex');
}

/** A place in another file than that of the row ends with its number. */
const FOREIGN = /(\d+,\d+,\d+,)(\d+)/g;
const ID_BYTES = 16;

function plain(value: unknown): string | Uint8Array {
  if (!(value instanceof Uint8Array)) return String(value);
  return value.length === ID_BYTES ? value : zstdDecompressSync(value);
}
