import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IndexPage, renderIndex } from '../../../src/views/html/render-index.ts';
import { chromiumPath, openBrowser } from '../../kit/chromium.ts';

const entry = (title: string, more = {}) => ({
  title,
  href: `${title}.html`,
  detail: '',
  facts: ['main'],
  time: null,
  ...more,
});
const list: IndexPage = {
  title: 'All projects',
  facts: ['2 projects'],
  up: { href: '../index.html', title: 'All projects' },
  groups: [
    {
      name: 'Newest',
      entries: [entry('apples', { detail: 'red ones', time: Date.now() - 3 * 3_600_000 }), entry('pears')],
    },
    { name: 'Projects', entries: [entry('plums', { href: null, facts: ['infra'] })] },
    { name: 'Older', entries: [entry('quinces')], isHidden: true },
  ],
};

test('O10 while pages are still written, the list says so and looks again; later it does not', () => {
  const html = (page: IndexPage): string => [...renderIndex(page)].join('');
  expect(html({ ...list, notice: 'Wait' })).toMatch(/http-equiv="refresh"[\s\S]*>Wait</);
  expect(html(list)).not.toContain('http-equiv="refresh"');
});

describe.skipIf(chromiumPath === undefined)('A list of pages in a browser (needs Chromium)', () => {
  let browser: Browser;
  let page: Page;
  let folder = '';
  const complaints: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'skein-list-'));
    writeFileSync(join(folder, 'index.html'), [...renderIndex(list)].join(''));
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`file://${join(folder, 'index.html')}`);
  }, 30_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('O10 it asks for nothing, and the browser complains about nothing', () => {
    expect([requests.length, complaints]).toEqual([1, []]);
  });

  test('it is narrowed by words of titles, details and facts; groups without rows are not there', async () => {
    const shown = async () => (await page.locator('.rows li:visible .name').allTextContents()).join(' ');
    for (const [text, expected, count] of [
      ['RED app', 'apples', '1 of 4'],
      ['infra', 'plums', '1 of 4'],
      ['nowhere', '', '0 of 4'],
      ['quin', 'quinces', '1 of 4'],
      ['', 'apples pears plums', ''],
    ] as const) {
      await page.fill('.narrow', text);
      expect([await shown(), await page.locator('.hits').textContent()]).toEqual([expected, count]);
    }
    await page.fill('.narrow', 'infra');
    expect(await page.locator('h2:visible').allTextContents()).toEqual(['Projects']);
    await page.fill('.narrow', '');
  });

  test('times are told as people say them, exactly when pointed at', async () => {
    const time = page.locator('time').first();
    expect(await time.textContent()).toBe('3 hours ago');
    expect(await time.getAttribute('title')).toMatch(/20\d\d/);
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<{ violations: { id: string; impact: string }[] }>(
      'axe.run(document, { resultTypes: ["violations"] })',
    );
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  });
});
