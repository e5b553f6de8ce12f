import type { Block, FileFacts, Line, LineRef, Parsed, Reader, ReadOptions, Warning } from '../../model/index.ts';
import { type JsonObject, objectOf, readObject, textOf } from '../lines/index.ts';
import { checkEntry } from './check-entry.ts';
import { entryBlocks } from './content-blocks.ts';
import type { Entry } from './entry.ts';
import { readEntry } from './entry-line.ts';
import { type SavedScope, Scope } from './scope.ts';
import { sessionFact, titleFact } from './state-entries.ts';
import { tooLong } from './warnings.ts';

export function openReader(file: FileFacts, state?: unknown, { survey = true }: ReadOptions = {}): Reader {
  const scope = new Scope(file, objectOf(state) as SavedScope | null);
  return {
    // A line without its newline is read again when the rest is there: it must leave no trace.
    next: (bytes, ref, cut = false, torn = false) =>
      readLine(torn ? new Scope(file, scope.saved) : scope, bytes, ref, cut, torn, survey),
    get state() {
      return scope.saved;
    },
  };
}

const NO_BLOCKS: readonly Block[] = [];

function readLine(scope: Scope, bytes: Uint8Array, ref: LineRef, cut: boolean, torn: boolean, survey: boolean): Parsed {
  const { object, warnings } = readObject(bytes, torn);
  if (!object) return { line: { in: 'report', ref, warnings }, blocks: () => NO_BLOCKS };
  if (isCounted(object, warnings)) scope.count(ref.line);
  const found = [...warnings];
  if (cut) found.push(tooLong(ref.bytes));
  if (survey) checkEntry(object, found);
  const line = lineOf(object, ref, scope, found);
  return { line: cut ? reported(line) : line, blocks: () => entryBlocks(object, ref) };
}

/** Pi takes every line of JSON for an entry: not one between NUL bytes, and not the title before the header. */
const isCounted = (object: JsonObject, warnings: readonly Warning[]): boolean =>
  object.type !== 'title' && !warnings.some((warning) => warning.detail === 'nul');

function lineOf(object: JsonObject, ref: LineRef, scope: Scope, found: Warning[]): Line {
  if (object.type === 'session') {
    scope.readHeader(object, ref.line);
    return { in: 'bookkeeping', ref, fact: sessionFact({ object, ref, scope }), warnings: found };
  }
  // {"type":"title","v":1,"title":"parser rewrite","source":"user","updatedAt":"…","pad":"   "}
  if (object.type === 'title') {
    if (scope.header === null) scope.hasTitleSlot = true;
    return { in: 'bookkeeping', ref, fact: titleFact({ ref }, object.title, object.source), warnings: found };
  }
  const given = scope.linear ? null : textOf(object.id);
  const id = given ?? scope.idByPlace(ref.line);
  const entry: Entry = { object, ref, scope, id, key: scope.key(id) };
  return readEntry(entry, given, found);
}

/** It keeps its place in the chain and is counted as reported; outside the chain there is nothing to keep. */
function reported(line: Line): Line {
  if (line.in === 'chain') return { ...line, more: { ...line.more, reported: true } };
  return { in: 'report', ref: line.ref, warnings: line.warnings };
}
