import { Pages } from './pages.ts';
import { BLOB, type Cell, readBlob, readCells, type Value } from './read-cells.ts';
import { ROW_NAMES, type Row, sumOf } from './rows.ts';

/** Where a file lay, as the index of the table has it too. */
export type PlaceRow = Pick<Row, 'root' | 'agent' | 'project' | 'path' | 'generation'>;

export interface FoundRow extends Row {
  /** Null in an archive of an older version. */
  readonly sum: number | null;
  /** Everything in it is as it was written. */
  readonly isSure: boolean;
}

export interface FoundBlock {
  readonly id: number;
  readonly file: number;
  readonly start: number;
  readonly size: number;
  readonly crc: number;
  readonly cell: Cell;
}

/** Everything that can be read from an archive, however damaged it is. */
export class FoundArchive {
  readonly files = new Map<number, FoundRow>();
  readonly places = new Map<number, PlaceRow>();
  readonly blocks = new Map<number, FoundBlock>();
  /** Of each file, which blocks it has and where they begin, as far as the table or its index says it. */
  readonly starts = new Map<number, Map<number, Set<number>>>();
  readonly forgotten = new Set<string>();
  readonly facts = new Map<string, Value>();
  run: { readonly startedAt: number; readonly endedAt: number } | null = null;
  /** The highest number a file had. */
  last = 0;
  /** Pages of which something could not be read. */
  broken = 0;
  readonly pages: Pages;

  constructor(path: string) {
    this.pages = new Pages(path);
    const doubtful: Cell[] = [];
    for (let number = 1; number <= this.pages.count; number++) {
      const { cells, isBroken } = readCells(this.pages, number, (cell) => tableOf(cell) !== undefined);
      if (isBroken) this.broken++;
      for (const cell of cells)
        if (isBroken) doubtful.push(cell);
        else tableOf(cell)?.take(this, cell);
    }
    // Where a page does not say where its rows lie, rows may be found that are not there any more: only what is missing is taken of them.
    const [files, blocks] = [new Set(this.files.keys()), new Set(this.blocks.keys())];
    for (const cell of doubtful) tableOf(cell)?.take(this, cell, { files, blocks });
    for (const { file, start, id } of this.blocks.values()) this.addStart(file, start, id);
    // The number of rows that were ever made says how many there must be.
    for (const id of [...this.files.keys(), ...this.places.keys()]) this.last = Math.max(this.last, id);
  }

  addStart(file: number, start: number, block: number): void {
    const starts = this.starts.get(file) ?? new Map<number, Set<number>>();
    this.starts.set(file, starts);
    starts.set(start, (starts.get(start) ?? new Set()).add(block));
  }

  /** The stored bytes of a block. */
  data = (block: FoundBlock): Uint8Array | null => readBlob(this.pages, block.cell);

  close(): void {
    this.pages.close();
  }
}

interface Table {
  isOne(values: readonly Value[]): boolean;
  readonly hasRowid: boolean;
  /** `sure`: what is known for certain is left alone. */
  take(found: FoundArchive, cell: Cell, sure?: Sure): void;
}

interface Sure {
  readonly files: ReadonlySet<number>;
  readonly blocks: ReadonlySet<number>;
}

const isText = (value: Value | undefined): boolean => typeof value === 'string';
const isInteger = (value: Value | undefined): boolean => Number.isSafeInteger(value);
const isNumber = (value: Value | undefined): boolean => typeof value === 'number';
const isIntegerOrNull = (value: Value | undefined): boolean => value === null || isInteger(value);

const FILE_TYPES = [
  ...[isNull, isText, isText, isText, isText, isInteger, isText, isInteger, isInteger, isInteger, isInteger],
  ...[isInteger, isNumber, isNumber, isIntegerOrNull, isIntegerOrNull, isIntegerOrNull],
];
const BLOCK_TYPES = [isNull, isInteger, isInteger, isInteger, isInteger, (value: Value) => value === BLOB];
const PLACE_TYPES = [isText, isText, isText, isText, isInteger, isInteger];

function isNull(value: Value | undefined): boolean {
  return value === null;
}

type Test = (value: Value) => boolean;

const hasTypes =
  (tests: readonly Test[], least = tests.length) =>
  (values: readonly Value[]): boolean =>
    values.length >= least && values.length <= tests.length && values.every((value, i) => tests[i]?.(value));

/** Which table or index a row is of is told by what stands in it: where they begin stands on a page that may be gone. */
const TABLES: readonly Table[] = [
  {
    hasRowid: true,
    // Rows of an older archive have no sum.
    isOne: hasTypes(FILE_TYPES, FILE_TYPES.length - 1),
    take: (found, { rowid, values }, sure) => {
      const row = rowOf(rowid ?? 0, values);
      const known = found.files.get(row.id);
      if (sure?.files.has(row.id) || (known?.isSure && (!row.isSure || known.size > row.size))) return;
      found.files.set(row.id, row);
    },
  },
  {
    hasRowid: true,
    isOne: hasTypes(BLOCK_TYPES),
    take: (found, cell, sure) => {
      const [, file = 0, start = 0, size = 0, crc = 0] = cell.values as number[];
      const id = cell.rowid ?? 0;
      // A file only grows.
      if (sure?.blocks.has(id) || (found.blocks.get(id)?.size ?? 0) > size) return;
      found.blocks.set(id, { id, file, start, size, crc, cell });
    },
  },
  {
    hasRowid: false,
    isOne: hasTypes(PLACE_TYPES),
    take: (found, { values }) => {
      const [root, agent, project, path, generation, id] = values as [string, string, string, string, number, number];
      found.places.set(id, { root, agent, project, path, generation });
    },
  },
  {
    hasRowid: false,
    isOne: hasTypes([isInteger, isInteger, isInteger]),
    take: (found, { values }) => found.addStart(...(values as [number, number, number])),
  },
  {
    hasRowid: false,
    isOne: hasTypes([isText]),
    take: (found, { values }) => found.forgotten.add(values[0] as string),
  },
  {
    hasRowid: false,
    isOne: hasTypes([isText, (value) => isText(value) || isNumber(value)]),
    take: (found, { values }) => found.facts.set(values[0] as string, values[1] as Value),
  },
  {
    hasRowid: true,
    isOne: hasTypes([(value) => value === 'file', isInteger]),
    take: (found, { values }) => {
      found.last = Math.max(found.last, values[1] as number);
    },
  },
  {
    hasRowid: true,
    isOne: hasTypes([isInteger, isInteger]),
    take: (found, { values }) => {
      const [startedAt, endedAt] = values as [number, number];
      found.run = { startedAt, endedAt };
    },
  },
  // What was damaged before is found again.
  { hasRowid: true, isOne: hasTypes([isNull, isText]), take: () => undefined },
  // The schema is the one that is known.
  {
    hasRowid: true,
    isOne: hasTypes([isText, isText, isText, isInteger, (value) => value === null || isText(value)]),
    take: () => undefined,
  },
];

const tableOf = ({ rowid, values }: Cell): Table | undefined =>
  TABLES.find(({ hasRowid, isOne }) => hasRowid === (rowid !== null) && isOne(values));

function rowOf(id: number, values: readonly Value[]): FoundRow {
  // Their types were looked at.
  const row = Object.fromEntries(ROW_NAMES.map((name, i) => [name, i === 0 ? id : values[i]])) as unknown as Row;
  const sum = typeof values[16] === 'number' ? values[16] : null;
  return { ...row, sum, isSure: sum === sumOf(row) };
}
