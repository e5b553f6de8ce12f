import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '../../test/kit/chromium.ts';
import type { Entry, Row } from '../entry.ts';
import { longSession, manyTurns } from '../generate/extremes.ts';
import { writeLines } from '../generate/index.ts';

/** Twelve and a half thousand turns with three calls each: 100,000 messages, as long as in real logs. */
const TURNS = 12_500;
const CALLS = 3;
/** So many prompts and answers, half of them with a bar. */
const BARS = 50_000;

/** Pages of long sessions in a browser (O14), as a reader waits for them. */
export const page: Entry = {
  name: 'page',
  async *run(folder) {
    if (chromiumPath === undefined) return;
    const browser = await openBrowser();
    try {
      yield* load(browser, folder, 'real', manyTurns(TURNS, CALLS, 1), '100,000 messages of real size');
      yield* load(browser, folder, 'bars', longSession(2 * BARS), '50,000 prompts with their answers');
    } finally {
      await browser.close();
    }
  },
};

async function* load(
  browser: Browser,
  folder: string,
  name: string,
  lines: Iterable<string>,
  what: string,
): AsyncGenerator<Row> {
  const log = join(folder, `${name}.jsonl`);
  writeLines(log, lines);
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['bin/skein.cjs', 'export', log, '-o', folder]);
  if (status !== 0) throw new Error(`${stderr}`);
  const file = join(folder, `${name}.html`);
  const [bytes, logged] = [statSync(file).size, statSync(log).size];
  yield {
    name: `page of ${what} / its log`,
    figure: (bytes - FIXED) / logged,
    unit: '×',
    limit: 1,
    note: `${(logged / 1e6).toFixed(0)} MB of log, ${(bytes / 1e6).toFixed(0)} MB of page, written in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  };
  const tab = await browser.newPage();
  await tab.addInitScript(WATCH);
  await tab.goto(`file://${file}`);
  await tab.waitForFunction('marks.complete');
  const told = async (expression: string) => Number(await tab.evaluate(expression));
  const rows = [
    ['first paint', await told('performance.getEntriesByType("paint")[0].startTime'), 500],
    ['folding usable', await told('marks.bar'), 1000],
    ['complete', await told('marks.complete'), 4000],
    ['all levels unfolded', await press(tab), 100],
    ['folded to the first level again', await press(tab), 100],
  ] as const;
  for (const [each, figure, limit] of rows) yield { name: `… ${each}`, figure, unit: 'ms', limit };
  await tab.close();
}

const FIXED = 110_000;

/** When the first bar is there, and when everything is. */
const WATCH = `
  globalThis.marks = {};
  const watch = () => {
    if (document.querySelector('.bar')) marks.bar ??= performance.now();
    if (marks.bar && document.querySelector('.strip svg')) marks.complete = performance.now();
    else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
`;

const press = async (tab: Page): Promise<number> =>
  Number(
    await tab.evaluate(`(() => {
      const start = performance.now();
      document.querySelector('section.n > .bar [data-b=all]').click();
      // With the layout of what is seen then.
      document.body.offsetHeight;
      return performance.now() - start;
    })()`),
  );
