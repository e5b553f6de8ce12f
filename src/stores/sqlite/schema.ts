import { COLUMNS } from './rows.ts';

/** Step by step from nothing to the present schema: an older archive is brought up to date in place, each step in one transaction. */
export const archiveSteps: readonly string[] = [
  `create table file (
     id integer primary key autoincrement,
     root text not null, agent text not null, project text not null, path text not null,
     generation integer not null,
     kind text not null,
     size integer not null, crc integer not null, head integer not null,
     tail_start integer not null, tail_crc integer not null,
     inode real not null, modified real not null,
     replaced_at integer, gone_at integer,
     unique (root, agent, project, path, generation)
   );
   create table block (
     id integer primary key,
     file integer not null,
     start integer not null, size integer not null, crc integer not null,
     data blob not null
   );
   create unique index block_by_file on block (file, start);`,
  `create table tombstone (hash text primary key) without rowid;
   create table run (started_at integer not null, ended_at integer not null);`,
  // Blocks may be larger from here on: a Skein that takes such ones for damaged refuses the archive instead.
  '',
  // What SQLite does not notice: a row that is not what was written, a list that is shorter than it was.
  `create table fact (name text primary key, value) without rowid;
   create table damage (file integer primary key, message text not null);
   alter table file add column sum integer;
   update file set sum = sum_of(${COLUMNS});
   insert into fact values ('version', 4), ('forgotten', (select count(*) from tombstone));`,
];
