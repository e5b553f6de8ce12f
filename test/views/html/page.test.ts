import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDemo } from '../../../src/history/index.ts';
import { buildOutline } from '../../../src/outline/index.ts';
import { renderPage } from '../../../src/views/html/render-page.ts';
import { chromiumPath, openBrowser } from '../../kit/chromium.ts';

test('O10 the script and style of the page are those of its sources (`npm run page`)', () => {
  const path = 'src/views/html/page-assets.ts';
  const before = readFileSync(path, 'utf8');
  execFileSync(process.execPath, ['scripts/page.ts']);
  const after = readFileSync(path, 'utf8');
  writeFileSync(path, before);
  expect(after === before).toBe(true);
});

describe.skipIf(chromiumPath === undefined)(
  'The demo session in a browser (needs Chromium: apt-get install chromium)',
  () => {
    let browser: Browser;
    let page: Page;
    let folder = '';
    const complaints: string[] = [];
    const requests: string[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'skein-page-'));
      const [session] = openDemo().projects[0]?.sessions() ?? [];
      if (!session) throw new Error('no demo session');
      const outline = buildOutline(
        session.logs.read().tree,
        session.id,
        (record) => session.content(record, { annotations: true }),
        {
          title: session.title ?? '',
        },
      );
      writeFileSync(
        join(folder, 'page.html'),
        [...renderPage(outline, { title: session.title ?? '', facts: [] })].join(''),
      );
      browser = await openBrowser();
      page = await browser.newPage();
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`file://${join(folder, 'page.html')}`);
      await page.locator('.bar').first().waitFor();
    }, 30_000);
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test('O10 it asks for nothing, and the browser complains about nothing', () => {
      expect(requests).toHaveLength(1);
      expect(complaints).toEqual([]);
    });

    test('O6 the buttons of a bar go through the states of the table', async () => {
      const node = page.locator('section.n[data-t=session]');
      const state = () => node.getAttribute('data-s');
      const press = (which: string) =>
        node
          .locator(':scope > .bar button')
          .nth(which === 'one' ? 0 : 1)
          .click();
      const seen: (string | null)[] = [await state()];
      for (const which of ['all', 'all', 'one', 'one', 'one', 'all', 'one']) {
        await press(which);
        seen.push(await state());
      }
      expect(seen).toEqual(['B', 'C', 'B', 'A', 'B', 'A', 'C', 'A']);
      await press('one');
    });

    test('O13 an address with the id of a folded record unfolds the way to it', async () => {
      const tool = page.locator('section.n[data-t=tool]').first();
      const id = (await tool.getAttribute('id'))?.slice(2) ?? '';
      expect(await tool.isVisible()).toBe(false);
      await page.evaluate((hash) => {
        (globalThis as unknown as { location: { hash: string } }).location.hash = hash;
      }, encodeURIComponent(id));
      await tool.waitFor({ state: 'visible' });
      expect(await tool.locator(':scope > .b').isVisible()).toBe(true);
    });

    test('O13 the search of the page finds text in folded nodes', async () => {
      await page.fill('.search input[type=search]', 'clock');
      await page.press('.search input[type=search]', 'Enter');
      expect(await page.locator('.hits').textContent()).toMatch(/^1 of \d+$/);
      expect(await page.locator('mark').count()).toBeGreaterThan(0);
    });
  },
);
