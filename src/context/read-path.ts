import type { Change, ContentOf, Key, SessionId } from '../model/index.ts';
import type { Tree } from '../tree/index.ts';
import { sameUsage } from '../usage/index.ts';
import type { ContextPart } from './context-view.ts';
import { type RecordParts, readParts } from './read-parts.ts';

/** The records of a thread with what each puts into the window. A record is read once, and again when its revision grew. */
export class PathReader {
  readonly records: RecordParts[] = [];
  /** Made when somebody asks for a place far from the end. */
  #places: Map<Key, number> | null = null;
  #stamp: object | null = null;

  /** Brings the records up to date; the first place at which something is new. */
  read(tree: Tree, session: SessionId, thread: Key, content: ContentOf, change: Change | null): number {
    const path = tree.pathOf(session, thread);
    const grew =
      path !== null &&
      path.stamp === this.#stamp &&
      path.length >= this.records.length &&
      change?.removed.every((id) => this.#placeOf(id) === null) === true;
    const ids = grew ? [] : (path?.from(0) ?? []);
    const kept = grew ? this.records.length : this.#commonLength(ids);
    const older = this.#cut(kept);
    this.#stamp = path?.stamp ?? null;
    for (const id of grew ? path.from(kept) : ids.slice(kept)) this.#push(tree, id, older.get(id), content);
    // The places before the first new one, where records may have changed.
    let first = kept;
    const changed = change ? [...change.changed, ...change.added] : [];
    for (const id of changed) {
      const place = this.#placeOf(id);
      if (place !== null && place < kept && this.#readAgain(tree, place, content)) first = Math.min(first, place);
    }
    return first;
  }

  /** What changes stands near the end, or on another path. */
  #placeOf(id: Key): number | null {
    const near = Math.max(0, this.records.length - NEAR);
    for (let place = this.records.length - 1; place >= near; place--)
      if (this.records[place]?.record.id === id) return place;
    this.#places ??= new Map(this.records.map(({ record }, place) => [record.id, place]));
    return this.#places.get(id) ?? null;
  }

  #commonLength(ids: readonly Key[]): number {
    let length = 0;
    while (length < ids.length && this.records[length]?.record.id === ids[length]) length++;
    return length;
  }

  /** Takes away the end; what was read there may be needed again at other places. */
  #cut(length: number): Map<Key, RecordParts> {
    const end = this.records.splice(length);
    for (const { record } of end) this.#places?.delete(record.id);
    return new Map(end.map((each) => [each.record.id, each]));
  }

  #push(tree: Tree, id: Key, known: RecordParts | undefined, content: ContentOf): void {
    const record = tree.record(id);
    if (!record) return;
    this.#places?.set(id, this.records.length);
    if (known?.record.revision === record.revision) this.records.push({ ...known, record });
    else this.records.push(takeOver(known, readParts(record, content(record))));
  }

  /** Whether it is not what it was. */
  #readAgain(tree: Tree, place: number, content: ContentOf): boolean {
    const known = this.records[place];
    const record = known && tree.record(known.record.id);
    if (!record || record.revision === known.record.revision) return false;
    const read = takeOver(known, readParts(record, content(record)));
    this.records[place] = read;
    return !isSame(known, read);
  }
}

const NEAR = 32;

function takeOver(known: RecordParts | undefined, read: RecordParts): RecordParts {
  if (!known) return read;
  return { ...read, answer: keepEqual(known.answer, read.answer), parts: keepEqual(known.parts, read.parts) };
}

/** What was read, with those parts that are equal to earlier ones replaced by them. */
export function keepEqual(known: readonly ContextPart[], read: readonly ContextPart[]): readonly ContextPart[] {
  const kept = read.map((part, i) => {
    const before = known[i];
    return before && isEqual(before, part) ? before : part;
  });
  return kept.length === known.length && kept.every((part, i) => part === known[i]) ? known : kept;
}

const isEqual = (a: ContextPart, b: ContextPart): boolean =>
  a.message === b.message &&
  a.type === b.type &&
  a.tokens === b.tokens &&
  a.category === b.category &&
  a.label === b.label &&
  a.call === b.call &&
  a.role === b.role &&
  a.record === b.record;

/** Whether the window, and where its phases begin, is the same. */
function isSame({ record: a, ...before }: RecordParts, { record: b, ...after }: RecordParts): boolean {
  return (
    before.answer === after.answer &&
    before.parts === after.parts &&
    before.emptied?.before === after.emptied?.before &&
    before.emptied?.after === after.emptied?.after &&
    a.kind === b.kind &&
    sameUsage(a.usage, b.usage) &&
    a.lines[0]?.ref === b.lines[0]?.ref &&
    // Of these the first kept entry may be one.
    a.lines.length === b.lines.length &&
    a.annotations.length === b.annotations.length
  );
}
