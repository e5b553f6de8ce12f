import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '../../test/kit/chromium.ts';
import type { Entry } from '../entry.ts';
import { longSession } from '../generate/extremes.ts';

const RECORDS = 100_000;

/** The page of a session of 100,000 messages in a browser (O14): these are times of this machine, told and not judged. */
export const page: Entry = {
  name: 'page',
  async *run(folder) {
    if (chromiumPath === undefined) return;
    const log = writeLog(folder);
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, ['bin/skein.cjs', 'export', log, '-o', folder]);
    if (status !== 0) throw new Error(`${stderr}`);
    const file = join(folder, 's.html');
    const size = `${(statSync(log).size / 1e6).toFixed(0)} MB of log, ${(statSync(file).size / 1e6).toFixed(0)} MB of page`;
    yield {
      name: 'export of 100,000 messages',
      figure: performance.now() - start,
      unit: 'ms',
      limit: null,
      note: size,
    };
    const browser = await openBrowser();
    try {
      const tab = await browser.newPage();
      await tab.addInitScript(WATCH);
      await tab.goto(`file://${file}`);
      await tab.waitForFunction('marks.complete');
      const told = async (expression: string) => Number(await tab.evaluate(expression));
      const rows = [
        ['first paint (500)', await told('performance.getEntriesByType("paint")[0].startTime')],
        ['folding usable (1,000)', await told('marks.bar')],
        ['complete (4,000)', await told('marks.complete')],
        ['all levels unfolded, 50,000 bars (100)', await press(tab)],
        ['folded to the first level again (100)', await press(tab)],
      ] as const;
      for (const [name, figure] of rows) yield { name, figure, unit: 'ms', limit: null };
    } finally {
      await browser.close();
    }
  },
};

function writeLog(folder: string): string {
  const path = join(folder, 'log/s.jsonl');
  mkdirSync(join(folder, 'log'));
  const file = openSync(path, 'w');
  for (const line of longSession(RECORDS)) writeSync(file, line);
  closeSync(file);
  return path;
}

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
      return performance.now() - start;
    })()`),
  );
