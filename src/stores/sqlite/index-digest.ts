import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import type { LineRef } from '../../model/index.ts';
import { Bits } from '../packed-rows.ts';
import { writeUuid } from '../uuid-bytes.ts';
import { SUM_LENGTH } from './checked-json.ts';
import { numberedTexts } from './index-read.ts';
import { CHUNK_SPAN, PROMPT_SPAN } from './index-schema.ts';
import { unpackDetails } from './message-details.ts';
import { addTextDigest } from './text-digest.ts';

// biome-ignore lint/suspicious/noExplicitAny: the columns of a query are written beside where they are used
type Row = any;

/** Rows with names instead of numbers, sorted by key: what is left out is when they were written and when a file was last touched (as in the sum of its facts). */
const QUERIES: readonly string[] = [
  'select key, agent, project, path, names, complete from trees order by key',
  `select trees.key as tree, files.id, substr(facts, 1, length(facts) - ${SUM_LENGTH}), files.path, size, offset, line, lines, state, torn from files join trees on trees.num = files.tree
    where facts is not null order by trees.key, files.id`,
  `select trees.key as tree, files.id, chunks.id % ${CHUNK_SPAN}, bytes from chunks join files on files.num = chunks.id / ${CHUNK_SPAN}
    join trees on trees.num = files.tree order by trees.key, files.id, chunks.id`,
  `select trees.key as tree, files.id, prompts.id % ${PROMPT_SPAN}, text from prompts join files on files.num = prompts.id / ${PROMPT_SPAN}
    join trees on trees.num = files.tree order by trees.key, files.id, prompts.id`,
  `select trees.key, sessions.id, ended, data from sessions join trees on trees.num = sessions.tree
    where data is not null order by trees.key, sessions.id`,
  `select m.id, trees.key as tree, sessions.id as session, parent, type, sidechain, time, details, hidden, bits, agent.text as agent
    from messages m join sessions on sessions.num = m.session join trees on trees.num = sessions.tree
    left join names agent on agent.num = m.agent order by m.id`,
  `select u.id, trees.key as tree, sessions.id as session, u.key, names.text as model, input, output, cache_read, cache_5m, cache_1h, cost, fast, time, flags
    from usages u join sessions on sessions.num = u.session join trees on trees.num = sessions.tree join names on names.num = u.model order by u.id`,
];

export function digestOf(db: DatabaseSync): string {
  const hash = createHash('sha256');
  const messageValues = messageReader(db);
  for (const sql of QUERIES) {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
      const values = 'details' in row ? messageValues(row) : Object.values(row);
      for (const value of values) hash.update(plain(value)).update('\t');
      hash.update('\n');
    }
    hash.update('\n\n');
  }
  addTextDigest(db, hash);
  return hash.digest('hex');
}

/** A message as if each of its details had a column. */
function messageReader(db: DatabaseSync) {
  const texts = numberedTexts(db);
  return ({ id, tree, session, parent, type, sidechain, time, details, hidden, bits, agent }: Row): unknown[] => {
    const { uuid, kind, number, nth, tool, ...refs } = unpackDetails(details);
    const { at, more } = texts.places(refs);
    const isError = Number(bits) & Bits.hasStatus ? Number((Number(bits) & Bits.isError) !== 0) : null;
    return [
      ...[id, tree, session, parent, type, sidechain, time, uuid && packUuid(uuid), texts.name(kind), hidden],
      ...[number, nth, at.file, at.line, at.offset, at.bytes, texts.name(tool), isError, agent, placesIn(more, at)],
    ];
  };
}

const packUuid = (uuid: string): string | Uint8Array => {
  const packed = new Uint8Array(ID_BYTES);
  return writeUuid(uuid, packed, 0) ? packed : uuid;
};

/** Relative to the place of the message where they are in the same file. */
const placesIn = (more: readonly LineRef[], own: LineRef): string | null =>
  more.length === 0
    ? null
    : more
        .map(({ file, line, offset, bytes }) =>
          file === own.file
            ? `${line - own.line},${offset - own.offset},${bytes}`
            : `${line},${offset},${bytes},${file}`,
        )
        .join(' ');

const ID_BYTES = 16;

function plain(value: unknown): string | Uint8Array {
  if (!(value instanceof Uint8Array)) return String(value);
  return value.length === ID_BYTES ? value : zstdDecompressSync(value);
}
