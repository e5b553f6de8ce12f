import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdTable } from '../../src/tree/id-table.ts';

const ids = fc.oneof(fc.constantFrom('', 'a', 'b', '\0', 'ä'), fc.string({ maxLength: 3 }), fc.uuid());
const steps = fc.array(fc.tuple(fc.constantFrom('ask', 'delete'), ids), { maxLength: 400 });

describe('H10: ids and what belongs to them', () => {
  test('a table holds what a Map would hold, in the same order', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const table = new IdTable<{ key: string; value: number }>();
        const map = new Map<string, number>();
        for (const [i, [what, id]] of all.entries()) {
          expect(table.get(id)?.value).toBe(map.get(id));
          if (what === 'delete') {
            table.delete(id);
            map.delete(id);
          } else if (!map.has(id)) {
            table.add({ key: id, value: i });
            map.set(id, i);
          }
          expect(table.size).toBe(map.size);
        }
        expect([...table.values()].map(({ value }) => value)).toEqual([...map.values()]);
      }),
    );
  });

  test('it grows', () => {
    const table = new IdTable<{ key: string; value: number }>();
    for (let i = 0; i < 10_000; i++) table.add({ key: `id ${i}`, value: i });
    expect(table.size).toBe(10_000);
    for (let i = 0; i < 10_000; i += 7) expect(table.get(`id ${i}`)?.value).toBe(i);
    expect(table.get('id 10000')).toBeUndefined();
  });
});
