import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Usage } from '../../src/model/index.ts';
import { UsageGroups } from '../../src/usage/index.ts';

const usage = fc.record({
  model: fc.constantFrom('a', 'b'),
  isFast: fc.boolean(),
  costUsd: fc.constantFrom(null, 0.25),
  output: fc.integer({ min: 1, max: 9 }),
});

const usageOf = ({
  model,
  isFast,
  costUsd,
  output,
}: {
  model: string;
  isFast: boolean;
  costUsd: number | null;
  output: number;
}): Usage => ({
  ...{ key: '', model, input: 1, output, cacheRead: 2, cacheWrite5m: 3, cacheWrite1h: 4, costUsd },
  ...(isFast && { fast: true }),
});

test('H1 what is taken out of a sum again was never in it, whatever came between', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(usage, fc.boolean())), (steps) => {
      const [all, kept] = [new UsageGroups(), new UsageGroups()];
      for (const [each] of steps) all.add(usageOf(each), 1);
      for (const [each, stays] of steps) {
        if (stays) kept.add(usageOf(each), 1);
        else all.add(usageOf(each), -1);
      }
      expect(all.list()).toEqual(kept.list());
    }),
  );
});

test('H1 a group that was emptied begins anew', () => {
  const groups = new UsageGroups();
  const one = usageOf({ model: 'a', isFast: false, costUsd: null, output: 5 });
  groups.add(one, 1);
  groups.add(one, -1);
  expect(groups.list()).toEqual([]);
  groups.add(one, 1);
  expect(groups.list()).toMatchObject([{ model: 'a', responses: 1, output: 5 }]);
});
