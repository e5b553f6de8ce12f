import type { DatabaseSync, StatementSync } from 'node:sqlite';

const KNOWN = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Preparing takes longer than most of these questions: done once for a database. */
export function prepared(db: DatabaseSync, sql: string): StatementSync {
  let statements = KNOWN.get(db);
  if (!statements) {
    statements = new Map();
    KNOWN.set(db, statements);
  }
  let statement = statements.get(sql);
  if (!statement) {
    statement = db.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}
