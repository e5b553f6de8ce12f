import { DOC_SPAN } from '../index-store.ts';
import { Bits } from '../packed-rows.ts';

export const BLOCK_SPAN = 2 ** 16;

/** Grows whenever the tables, or what is written into them, change: an index of another version is rebuilt. */
export const INDEX_VERSION = 16;

/** `SKEI`: tells our files from other databases. */
export const INDEX_MARK = 0x534b4549;

/** Of a call or a result, as `MessageKeys` makes their ids: where it is right (`parentFollows`), no other is named. */
const PARENT_BY_ID = 'id - iif((id & 255) % 3 = 2, 1, id & 255)';

export const INDEX_TABLES = `
create table meta (name text primary key, value) without rowid;
create table names (num integer primary key, text text not null unique);
create table trees (
  num integer primary key, key text not null unique, agent text not null,
  project text not null, path text not null, names text not null, complete integer not null
);
-- Without facts: named by a row, but not read to its end yet.
create table files (
  num integer primary key, tree integer not null, id text not null, facts text, path text,
  size integer, modified real, generation integer, offset integer, line integer, lines integer, state text, torn text,
  unique (tree, id)
);
-- id: file * ${2 ** 20} + index
create table chunks (id integer primary key, bytes blob not null);
-- id: file * ${2 ** 31} + line
create table prompts (id integer primary key, text text not null);
-- Without data: gone, or named by a row before its own was written.
create table sessions (
  num integer primary key, tree integer not null, id text not null, revision integer not null, ended integer, data text,
  unique (tree, id)
);
-- Of the two tables with most rows no column says "not null": with such a rule, a statement of many rows first copies every page it
-- changes, to be able to take it back.
-- named_parent: null where the parent follows from the id. details: what nobody looks for; messages of one time are sorted by it.
-- doc: volume * ${DOC_SPAN} + number of the document that has its text
create table messages (
  id integer primary key, session integer, named_parent integer, bits integer, time integer, agent integer, details blob, doc integer,
  type integer as (bits & ${Bits.type}), sidechain integer as (bits & ${Bits.isSidechain} > 0), hidden integer as (bits & ${Bits.isHidden} > 0),
  parent integer as (coalesce(named_parent, iif(bits & ${Bits.hasParent}, ${PARENT_BY_ID}, null)))
);
create table usages (
  id integer primary key, session integer, key integer, model integer,
  input integer, output integer, cache_read integer, cache_5m integer, cache_1h integer,
  cost real, fast integer, time integer, flags integer
);
create index further_usages on usages (session) where flags & 2;
create table volumes (
  num integer primary key, docs integer not null, newest integer not null, heads text not null,
  ids blob not null, times blob not null, lengths blob not null, types blob not null
);
-- id: volume * ${BLOCK_SPAN} + number of the block or page
create table term_blocks (id integer primary key, bytes blob not null);
create table neighbour_pages (id integer primary key, bytes blob not null);
-- Documents that are no message any more.
create table dead_docs (doc integer primary key);`;

/**
 * Made when most of the first load is there: sorting once is cheaper than keeping sorted, but at its end everybody would wait for it. Most
 * messages are sidechains, or of tools: who asks for those goes over all rows. What hangs on a message without naming it has an id of the
 * same record, right after its own.
 */
export const INDEX_INDEXES = `
create index if not exists messages_of_session on messages (session, time);
create index if not exists messages_by_parent on messages (named_parent) where named_parent is not null;
create index if not exists messages_by_type on messages (type) where type < 2;
create index if not exists messages_by_sidechain on messages (sidechain) where sidechain = 0;
create index if not exists sessions_by_end on sessions (ended);
create index if not exists sessions_by_revision on sessions (revision);`;

export const CHUNK_SPAN = 2 ** 20;
export const PROMPT_SPAN = 2 ** 31;
