import { expect, test } from 'vitest';
import { Figures } from './figures.ts';
import { soak } from './soak.ts';

/** A fiftieth of `npm run soak`; on a busy machine less of it, so that nobody waits for a minute. */
const SECONDS = 20;

test('M9 J8 20 kills over index, forget, export and journal lose nothing, and a forget is all or nothing', async () => {
  const figures = new Figures();
  await soak({ kills: 20, flips: 0, from: 0, seconds: SECONDS }, figures);
  expect(figures.violations).toEqual([]);
  expect(figures.of('index killed') + figures.of('journal killed')).toBeGreaterThan(0);
}, 120_000);

test('attack A2 A3 A7 C2 C4 D5 after 10 flips of bits every answer is as before, or something says what is damaged', async () => {
  const figures = new Figures();
  await soak({ kills: 0, flips: 10, from: 20, seconds: SECONDS }, figures);
  expect(figures.violations).toEqual([]);
  expect(figures.of('answers compared')).toBeGreaterThan(0);
}, 120_000);
