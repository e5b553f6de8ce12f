import { expect, test } from 'vitest';
import { pageScript, pageStyle } from '../../src/views/html/page-assets.ts';
import { tempFolder } from '../kit/temp.ts';
import { checkCase } from './check-case.ts';
import { checkPage, checkText } from './check-output.ts';
import { makeCase } from './make-case.ts';
import { fixedSeeds } from './seeds.ts';

/** `npm run fuzz -- --minutes 10` looks further. */
const CASES = 12;

test('H19 O11 H20 mutated transcripts go through everything: nothing throws, is lost, runs or escapes', async () => {
  process.env.SKEIN_HOME = tempFolder();
  const seeds = fixedSeeds();
  for (let number = 0; number < CASES; number++) {
    const { violations } = await checkCase(number, makeCase(number, seeds));
    expect(violations, `npm run fuzz -- --seed ${number}`).toEqual([]);
  }
});

test('the same number gives the same files', () => {
  const seeds = fixedSeeds();
  expect(makeCase(7, seeds)).toEqual(makeCase(7, seeds));
});

test('the net has no hole: a control character and a tag of a log are seen', () => {
  expect(() => checkText('a\x1b[31mb')).toThrow('control character');
  const page = `<style>${pageStyle}</style><script>${pageScript}</script>`;
  expect(() => checkPage(`${page}<p class="x">`)).not.toThrow();
  for (const tag of ['<script>', '<p onclick="x">', '<a href="javascript:x">', '<img src=x onerror=hit(0)>'])
    expect(() => checkPage(page + tag), tag).toThrow('the page');
});
