import type { Pages } from './pages.ts';

/** Stands for bytes: they are read when somebody wants them (`readBlob`). */
export const BLOB = Symbol('bytes');

export type Value = number | string | typeof BLOB | null;

/** A row, or an entry of an index, as it lies on a page. */
export interface Cell {
  /** Null for an entry of an index. */
  readonly rowid: number | null;
  /** What is in each column. */
  readonly values: readonly Value[];
  /** Where it lies. */
  readonly page: number;
  readonly at: number;
}

interface Sort {
  readonly hasRowid: boolean;
  /** In front of a cell that has others below it. */
  readonly child: number;
  readonly header: number;
}

const LEAF: Sort = { hasRowid: true, child: 0, header: 8 };
const INDEX_LEAF: Sort = { hasRowid: false, child: 0, header: 8 };
const INDEX_INSIDE: Sort = { hasRowid: false, child: 4, header: 12 };
/** By the first byte of a page. Inner pages of tables (5) hold no rows. */
const SORTS: ReadonlyMap<number, Sort> = new Map([
  [13, LEAF],
  [10, INDEX_LEAF],
  [2, INDEX_INSIDE],
]);
const TABLE_INSIDE = 5;
const FIRST_PAGE_HEADER = 100;

export interface ReadPage {
  readonly cells: readonly Cell[];
  /** It says something that cannot be. */
  readonly isBroken: boolean;
}

/**
 * The cells of a page that make sense. Where its header or its list of cells is damaged, they are looked for in its bytes: they lie one
 * behind the other. `isKnown` says whether a cell can be one of the tables that are there.
 */
export function readCells(pages: Pages, number: number, isKnown: (cell: Cell) => boolean): ReadPage {
  const page = pages.page(number);
  const start = number === 1 ? FIRST_PAGE_HEADER : 0;
  const first = page?.[start] ?? 0;
  // Behind a row that is longer than a page lie pages that begin with a number, and free pages are empty.
  if (!page || first === 0) return { cells: [], isBroken: false };
  const copy = Buffer.from(page);
  const read = (sort: Sort): ReadPage => readSort(pages, copy, number, start, sort, isKnown);
  const sort = SORTS.get(first);
  const said = sort ? read(sort) : { cells: [], isBroken: first !== TABLE_INSIDE || !isInside(copy, start) };
  if (!said.isBroken) return said;
  // What sort of page it is may be what is damaged.
  const all = [said, ...[...SORTS.values()].filter((each) => each !== sort).map(read)];
  const { cells } = all.reduce((most, each) => (each.cells.length > most.cells.length ? each : most));
  return { cells, isBroken: true };
}

function readSort(
  pages: Pages,
  page: Buffer,
  number: number,
  start: number,
  sort: Sort,
  isKnown: (cell: Cell) => boolean,
): ReadPage {
  const count = page.readUInt16BE(start + 3);
  const list = start + sort.header;
  const covered = new Uint8Array(page.length);
  const cells: Cell[] = [];
  const content = page.readUInt16BE(start + 5) || page.length;
  let isBroken = list + 2 * count > Math.min(content, page.length);
  covered.fill(1, 0, isBroken ? list : list + 2 * count);
  const take = (at: number): boolean => {
    const found = cellAt(pages, page, number, at, sort);
    if (!found || covered[at] || !isKnown(found.cell)) return false;
    covered.fill(1, at, at + found.length);
    cells.push(found.cell);
    return true;
  };
  for (let i = 0; i < count && list + 2 * i + 2 <= page.length; i++)
    if (!take(page.readUInt16BE(list + 2 * i))) isBroken = true;
  if (!isBroken) coverFree(page, start, covered);
  // Of what lies in none of them, what looks like one: a count or place in the list is wrong.
  for (let at = isBroken ? list : content; at < page.length; at++)
    if (!covered[at] && (page[at] !== 0 || page[at + 1] !== 0)) {
      if (take(at)) isBroken = true;
    }
  return { cells, isBroken };
}

/** Room in a page that is free, as a chain of pieces. */
function coverFree(page: Buffer, start: number, covered: Uint8Array): void {
  let left = page.length;
  for (let at = page.readUInt16BE(start + 1); at > 0 && at + 4 <= page.length && left > 0; left -= 4) {
    covered.fill(1, at, Math.min(page.length, at + page.readUInt16BE(at + 2)));
    at = page.readUInt16BE(at);
  }
}

/** Whether it lists other pages, as it says. */
function isInside(page: Buffer, start: number): boolean {
  const count = page.readUInt16BE(start + 3);
  const list = start + 12;
  if (list + 2 * count > page.length) return false;
  for (let i = 0; i < count; i++) {
    const at = page.readUInt16BE(list + 2 * i);
    if (at < list + 2 * count || at + 5 > page.length) return false;
  }
  return true;
}

interface Varint {
  readonly value: number;
  readonly end: number;
}

function varint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return { value: value * 256 + (bytes[at + 8] ?? 0), end: at + 9 };
}

/** Names and paths; more belongs to blocks. */
const MOST_TEXT = 256 * 1024;

interface Payload {
  readonly rowid: number | null;
  /** All of it. */
  readonly size: number;
  /** Where the part on this page begins, and how long it is. */
  readonly from: number;
  readonly local: number;
}

function payloadAt(page: Buffer, at: number, { hasRowid, child }: Sort): Payload | null {
  if (at + child + 2 > page.length) return null;
  const size = varint(page, at + child);
  const key = hasRowid ? varint(page, size.end) : null;
  const from = key?.end ?? size.end;
  const local = localSize(size.value, page.length, hasRowid);
  const fits = size.value > 0 && Number.isSafeInteger(size.value) && from + local <= page.length;
  return fits ? { rowid: key?.value ?? null, size: size.value, from, local } : null;
}

/** As SQLite divides a row between its page and those behind it. */
function localSize(size: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const some = least + ((size - least) % (usable - 4));
  return some <= most ? some : least;
}

function cellAt(
  pages: Pages,
  page: Buffer,
  number: number,
  at: number,
  sort: Sort,
): { readonly cell: Cell; readonly length: number } | null {
  const payload = payloadAt(page, at, sort);
  if (!payload) return null;
  const { rowid, size, from, local } = payload;
  const types = typesIn(page.subarray(from, from + local), size);
  if (!types) return null;
  const hasBlob = types.list.some((type) => type >= 12 && type % 2 === 0);
  const bytes =
    hasBlob || local === size
      ? page.subarray(from, from + local)
      : size <= MOST_TEXT
        ? readOn(pages, page, payload)
        : null;
  const values = bytes && valuesIn(bytes, types);
  if (!values) return null;
  const length = from - at + local + (local < size ? 4 : 0);
  return { cell: { rowid, values, page: number, at }, length };
}

interface Types {
  readonly list: readonly number[];
  readonly end: number;
}

/** Of the columns, which stand before their values; null where they do not fit the length of the row. */
function typesIn(bytes: Buffer, size: number): Types | null {
  const header = varint(bytes, 0);
  if (header.value > bytes.length || header.value < 2) return null;
  const list: number[] = [];
  let at = header.end;
  let sum = header.value;
  while (at < header.value) {
    const type = varint(bytes, at);
    list.push(type.value);
    sum += widthOf(type.value);
    at = type.end;
  }
  return at === header.value && sum === size && !list.some((type) => type === 10 || type === 11)
    ? { list, end: at }
    : null;
}

const WIDTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];
const widthOf = (type: number): number => WIDTHS[type] ?? Math.floor((type - 12) / 2);

function valuesIn(bytes: Buffer, { list, end }: Types): Value[] | null {
  const values: Value[] = [];
  let at = end;
  for (const type of list) {
    const width = widthOf(type);
    if (type >= 12 && type % 2 === 0) values.push(BLOB);
    else if (at + width > bytes.length) return null;
    else values.push(valueAt(bytes, at, type, width));
    at += width;
  }
  return values;
}

function valueAt(bytes: Buffer, at: number, type: number, width: number): Value {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(at);
  if (type === 6) return Number(bytes.readBigInt64BE(at));
  if (type >= 13) return bytes.toString('utf8', at, at + width);
  return width === 0 ? type - 8 : bytes.readIntBE(at, width);
}

/** The rest of a row lies on pages that name each other. */
function readOn(pages: Pages, page: Buffer, { size, from, local }: Payload): Buffer | null {
  const whole = Buffer.allocUnsafe(size);
  page.copy(whole, 0, from, from + local);
  let next = page.readUInt32BE(from + local);
  for (let at = local; at < size; ) {
    const more = pages.page(next);
    if (!more) return null;
    at += more.copy(whole, at, 4, 4 + Math.min(size - at, pages.size - 4));
    next = more.readUInt32BE(0);
  }
  return whole;
}

/** The bytes of the last column of a row of a table; null when not all of it is there. */
export function readBlob(pages: Pages, cell: Cell): Uint8Array | null {
  const page = pages.page(cell.page);
  const copy = page && Buffer.from(page);
  const payload = copy && payloadAt(copy, cell.at, LEAF);
  if (!payload) return null;
  const { from, size, local } = payload;
  const whole = local === size ? copy.subarray(from, from + size) : readOn(pages, copy, payload);
  const types = whole && typesIn(whole, size);
  return types ? whole.subarray(size - widthOf(types.list.at(-1) ?? 0)) : null;
}
