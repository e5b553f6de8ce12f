import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDemo } from '../../../src/history/index.ts';
import { buildOutline, type Outline } from '../../../src/outline/index.ts';
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from '../../../src/views/html/page-assets.ts';
import { renderPage } from '../../../src/views/html/render-page.ts';
import { chromiumPath, openBrowser } from '../../kit/chromium.ts';

test('O10 the policy of the page allows its own script and style, which name the code they hold', () => {
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
  expect([hash(pageScript), hash(pageStyle)]).toEqual([pageScriptHash, pageStyleHash]);
  expect(pageScript).toMatch(/^\/\* highlight\.js\n[\s\S]*Redistribution/);
});

describe.skipIf(chromiumPath === undefined)(
  'The demo session in a browser (needs Chromium: apt-get install chromium)',
  () => {
    let browser: Browser;
    let page: Page;
    let folder = '';
    let outline: Outline;
    const complaints: string[] = [];
    const requests: string[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'skein-page-'));
      const [session] = openDemo().projects[0]?.sessions() ?? [];
      if (!session) throw new Error('no demo session');
      outline = buildOutline(
        session.logs.read().tree,
        session.id,
        (record) => session.content(record, { annotations: true }),
        {
          title: session.title ?? '',
        },
      );
      writeFileSync(
        join(folder, 'page.html'),
        [...renderPage(outline, { title: session.title ?? '', facts: ['demo', 'main'], up: 'index.html' })].join(''),
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

    const bar = (name: string) => page.locator(`${name} > .bar button`);
    const SESSION = 'section.n[data-t=session]';

    test("O6–O8 the buttons go through the seed's states, with its labels and tooltips", async () => {
      const look = async () => [
        await page.locator(SESSION).getAttribute('data-s'),
        ...(await bar(SESSION).allTextContents()),
        ...(await bar(SESSION).evaluateAll((all) => all.map((each) => (each as unknown as { title: string }).title))),
        ...(await bar(SESSION).evaluateAll((all) =>
          all.map((each) => (each as unknown as { ariaExpanded: string }).ariaExpanded),
        )),
      ];
      const { immediateCount: few, totalCount: many } = outline.root;
      const A = [`▶▶ ${many} total`, 'Unfold (1st level)...', 'Unfold (all levels)...', 'false', 'false'];
      const B = [`▼ fold ${few}`, `▶▶ fold all ${many} below`, 'Fold (all levels)...', 'Unfold (all levels)...'];
      const C = [`▼ fold ${few}`, '▼▼ fold all below', 'Fold (all levels)...', 'Fold (to 1st level)...'];
      expect(await look()).toEqual(['B', ...B, 'true', 'false']);
      const flow = [
        ['all', ['C', ...C, 'true', 'true']],
        ['all', ['B', ...B, 'true', 'false']],
        ['one', ['A', expect.stringMatching(/^▶ \d/), ...A]],
        ['one', ['B', ...B, 'true', 'false']],
        ['one', ['A', expect.stringMatching(/^▶ \d/), ...A]],
        ['all', ['C', ...C, 'true', 'true']],
        ['one', ['A', expect.stringMatching(/^▶ \d/), ...A]],
        ['one', ['B', ...B, 'true', 'false']],
      ] as const;
      for (const [which, expected] of flow) {
        await bar(SESSION)
          .nth(which === 'one' ? 0 : 1)
          .click();
        expect(await look()).toEqual(expected);
      }
    });

    test('O6 going to C sets every bar below to C, going to B or A every bar below to A, and none above', async () => {
      const states = () =>
        page
          .locator(`${SESSION} section.n[data-s]`)
          .evaluateAll((all) => [
            ...new Set(all.map((each) => (each as unknown as { dataset: { s: string } }).dataset.s)),
          ]);
      const all = bar(SESSION).last();
      await all.click();
      expect(await states()).toEqual(['C']);
      await page.locator('section.n[data-t=user][data-s] > .bar button').first().click();
      expect(await page.locator(SESSION).getAttribute('data-s')).toBe('C');
      await all.click();
      expect(await states()).toEqual(['A']);
    });

    test('O9 bars are buttons that keep the focus; arrows lead from bar to bar, a star unfolds', async () => {
      const focused = () =>
        page.evaluate<[string, string]>(`(() => {
          const { textContent, ariaExpanded } = document.activeElement;
          return [textContent.slice(0, 6), ariaExpanded];
        })()`);
      await bar(SESSION).first().focus();
      for (const key of ['Enter', 'Enter', 'Space', 'Space']) await page.keyboard.press(key);
      expect(await focused()).toEqual(['▼ fold', 'true']);
      const controls = await bar(SESSION).first().getAttribute('aria-controls');
      expect(await page.locator(`#${controls}`).getAttribute('class')).toBe('c');
      await page.keyboard.press('ArrowDown');
      const second = await page.evaluate<string>('document.activeElement.closest("section.n").dataset.t');
      expect(second).not.toBe('session');
      await page.keyboard.press('*');
      expect(await page.evaluate('document.activeElement.closest("section.n").dataset.s')).toBe('C');
      await page.keyboard.press('ArrowUp');
      expect(await page.evaluate('document.activeElement.closest("section.n").dataset.t')).toBe('session');
      await bar(SESSION).last().click();
      const tool = page.locator('section.n[data-t=tool] > .h .who').first();
      await tool.focus();
      await page.keyboard.press('Enter');
      expect(await tool.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press(' ');
      expect(await tool.getAttribute('aria-expanded')).toBe('false');
      await bar(SESSION).last().click();
    });

    test("O14 a sub-agent's answers are there when they are unfolded", async () => {
      await bar(SESSION).last().click();
      const inside = page.locator('section.n[data-t=tool] section.n[data-t=assistant] > .b').first();
      await inside.scrollIntoViewIfNeeded();
      await inside.waitFor({ state: 'visible' });
      await bar(SESSION).last().click();
    });

    test('O13 the boxes count what is shown, and what there is', async () => {
      const tools = page.locator('.filters label', { hasText: 'tool' }).locator('span');
      await expect.poll(() => tools.textContent()).toMatch(/^\d+\/\d+$/);
      await bar(SESSION).last().click();
      await expect.poll(() => tools.textContent()).toMatch(/^\d+$/);
      const box = page.locator('.filters label', { hasText: 'tool' }).locator('input');
      await box.uncheck();
      await expect.poll(() => tools.textContent()).toMatch(/^0\/\d+$/);
      expect(page.url()).toContain('?filter=');
      await box.check();
      await bar(SESSION).last().click();
    });

    test('O13 a click on the strip leads to what happened then', async () => {
      const ticks = await page
        .locator('.strip path')
        .evaluateAll((all) =>
          all.map((each) => `${(each as unknown as { getAttribute(name: string): string }).getAttribute('d')}`.length),
        );
      expect(ticks.every((length) => length > 0)).toBe(true);
      const { width = 0, height = 0 } = (await page.locator('.strip').boundingBox()) ?? {};
      await page.locator('.strip').click({ position: { x: width - 3, y: height / 2 } });
      await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(100);
      expect(await page.locator('.tokens svg').count()).toBeGreaterThan(0);
      await page.evaluate('scrollTo(0, 0)');
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

    test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('document.querySelectorAll("section.n[data-t=tool] > .h").forEach((head) => head.click())');
      await page.evaluate(axe.source);
      const found = await page.evaluate<{
        violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
      }>('axe.run(document, { resultTypes: ["violations"] })');
      const serious = found.violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => [id, nodes.length, nodes[0]?.html, nodes[0]?.failureSummary]);
      expect(serious).toEqual([]);
      await page.evaluate('document.querySelectorAll("section.n[data-t=tool] > .h").forEach((head) => head.click())');
    });

    test('O13 the search of the page finds text in folded nodes', async () => {
      await page.fill('.search input[type=search]', 'clock');
      await page.press('.search input[type=search]', 'Enter');
      expect(await page.locator('.hits').textContent()).toMatch(/^1 of \d+$/);
      expect(await page.locator('mark').count()).toBeGreaterThan(0);
    });
  },
);
