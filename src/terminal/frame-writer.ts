import { lineForTerminal } from './style.ts';

export interface Frame {
  readonly lines: readonly string[];
  /** Where the cursor stands in the first line. */
  readonly column: number;
}

/** Draws frames over each other, from the line of the cursor down. */
export class FrameWriter {
  readonly #output: NodeJS.WriteStream;
  #isOpen = true;
  #column = 0;

  constructor(output: NodeJS.WriteStream) {
    this.#output = output;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get size(): { readonly rows: number; readonly columns: number } {
    const { rows = 24, columns = 80 } = this.#output;
    return { rows, columns };
  }

  /** In one write; the cursor ends where typing goes on. */
  draw({ lines, column }: Frame): void {
    if (!this.#isOpen) return;
    const drawn = lines.map((line) => `${lineForTerminal(line)}${CSI}K`).join('\r\n');
    this.#output.write(
      `${CSI}?25l\r${drawn}${CSI}J${CSI}${lines.length - 1}A\r${column > 0 ? `${CSI}${column}C` : ''}${CSI}?25h`,
    );
    this.#column = column;
  }

  /** A terminal that became narrower has wrapped the first line: the cursor may be below its first row. */
  resize(): void {
    const wrapped = Math.floor(this.#column / Math.max(1, this.size.columns));
    if (wrapped > 0) this.#output.write(`${CSI}${wrapped}A`);
  }

  remove(): void {
    if (this.#isOpen) this.#output.write(`\r${CSI}J`);
    this.#isOpen = false;
  }
}

const CSI = '\u001b[';
