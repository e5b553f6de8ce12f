import type { Block } from './block.ts';
import type { Kind } from './line.ts';

/** What a record says itself, of what its lines say one by one. Whoever asks for the text or the calls of a record goes through here. */
export const saidInLines = (kind: Kind, lines: readonly (readonly Block[])[]): readonly Block[] =>
  kind === 'assistant' ? foldSnapshots(lines) : lines.flat();

/**
 * Whether lines may say less together than one by one, told from the sorts that each says: an answer is written again by a line that says
 * something of the same sort.
 */
export function mayFold(kind: Kind, lines: readonly { readonly sorts: number }[]): boolean {
  let seen = 0;
  for (const { sorts } of kind === 'assistant' ? lines : []) {
    if ((seen & sorts) !== 0) return true;
    seen |= sorts;
  }
  return false;
}

/** The sorts of text in a line that a later one may say again, one bit each; calls are told apart by their ids. */
export function sortsSaid(line: readonly Block[]): number {
  let sorts = 0;
  for (const block of line)
    if (block.type !== 'call' && nameOf(block) !== null) sorts |= block.type === 'thinking' ? THINKING : TEXT;
  return sorts;
}

const TEXT = 1;
const THINKING = 2;

/**
 * What the lines of one answer say. Some gateways write an answer several times while it grows: what a later line repeats or goes on with
 * stands once, where it stood first, as it was said last.
 */
function foldSnapshots(lines: readonly (readonly Block[])[]): readonly Block[] {
  const [first = NONE, ...later] = lines;
  if (later.length === 0) return first;
  const all = new Snapshots();
  for (const line of lines) all.add(line);
  return all.blocks;
}

const NONE: readonly Block[] = [];

class Snapshots {
  readonly blocks: Block[] = [];
  /** Where each call and each text of the lines so far stands. */
  readonly #places = new Map<string, number>();
  /** Where the blocks of the line before stand, each sort by itself. */
  #before = new Map<Block['type'], number[]>();

  add(line: readonly Block[]): void {
    const nths = new Nths();
    const taken = new Set<number>();
    const found = line.map((block) => {
      const place = this.#placeOf(block, nths.next(block));
      if (place === undefined || taken.has(place)) return undefined;
      taken.add(place);
      return place;
    });
    const here = new Map<Block['type'], number[]>();
    for (const [i, block] of line.entries()) {
      const places = here.get(block.type) ?? [];
      // Hidden thoughts say nothing: that they are said again is told by what stands beside them.
      const hidden = isHidden(block) && taken.size > 0 ? this.#before.get('thinking')?.[places.length] : undefined;
      const place = found[i] ?? hidden ?? this.blocks.length;
      if (hidden === undefined) this.blocks[place] = block;
      places.push(place);
      here.set(block.type, places);
    }
    for (const places of here.values()) for (const place of places) this.#name(place);
    this.#before = here;
  }

  #name(place: number): void {
    const name = nameOf(this.blocks[place] as Block);
    if (name !== null) this.#places.set(name, place);
  }

  /** Where a block stands that this one says again. */
  #placeOf(block: Block, nth: number): number | undefined {
    const name = nameOf(block);
    if (name === null) return undefined;
    const before = this.#before.get(block.type)?.[nth];
    if (before !== undefined && goesOn(this.blocks[before], block)) return before;
    return this.#places.get(name);
  }
}

/** Counts the blocks of each sort. */
class Nths {
  readonly #counts = new Map<Block['type'], number>();

  next({ type }: Block): number {
    const nth = this.#counts.get(type) ?? 0;
    this.#counts.set(type, nth + 1);
    return nth;
  }
}

const isHidden = (block: Block): boolean => block.type === 'thinking' && block.text.trim() === '';

/** What a block is known by when it is said again. */
function nameOf(block: Block): string | null {
  if (block.type === 'call') return `call ${block.id}`;
  if (block.type !== 'text' && block.type !== 'thinking') return null;
  return block.text.trim() === '' ? null : `${block.type} ${block.text}`;
}

function goesOn(before: Block | undefined, block: Block): boolean {
  if (block.type !== 'text' && block.type !== 'thinking') return false;
  return before?.type === block.type && before.text.trim() !== '' && block.text.startsWith(before.text);
}
