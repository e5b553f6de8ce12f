/** One benchmark. A new one is a file in `entries/` and a line in `entries/index.ts`. */
export interface Entry {
  /** What `npm run bench -- NAME` is given. */
  readonly name: string;
  /** `folder` is empty and removed afterwards. Rows are printed as they come. */
  readonly run: (folder: string) => Iterable<Row> | AsyncIterable<Row>;
}

export interface Row {
  readonly name: string;
  readonly figure: number;
  readonly unit: '×' | '%' | 'µs' | 'ms' | 'B' | 'MB' | 'MB per GB';
  /** Above it the row is marked; null: told for comparison only. */
  readonly limit: number | null;
  readonly note?: string;
}
