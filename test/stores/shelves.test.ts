import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockAt, openShelf, packShelves, SHELF } from '../../src/stores/sqlite/shelves.ts';

describe('shelves', () => {
  test('M13 any blocks come off the shelves as they were put there', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (blocks) => {
        expect(blocks.map(readBack(blocks))).toEqual(blocks);
      }),
    );
  });

  test('M13 blocks of any size have room', () => {
    const blocks = [200_000, 0, 65_536, 1, 300_000].map((size, i) => new Uint8Array(size).fill(i + 1));
    expect(blocks.map(readBack(blocks))).toEqual(blocks);
  });

  test('M14 what is kept of a shelf lies in no more memory than it needs', () => {
    const [packed] = [...packShelves([new Uint8Array(5000)])];
    const shelf = openShelf(packed as Uint8Array);
    expect(shelf.buffer.byteLength).toBe(shelf.length);
    expect(shelf.length).toBeLessThan(6000);
  });
});

function readBack(blocks: readonly Uint8Array[]): (block: Uint8Array, index: number) => Uint8Array {
  const shelves = [...packShelves(blocks)].map((bytes) => openShelf(bytes));
  return (_, index) => blockAt(shelves[Math.floor(index / SHELF)] as Uint8Array, index % SHELF);
}
