import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { renderPage } from '../../../src/views/html/render-page.ts';
import { chromiumPath, openBrowser } from '../../kit/chromium.ts';
import { assistant, type Json, toolResult, toolUse, user } from '../../kit/transcript.ts';
import { claudeOutline } from '../../outline/view.ts';

const TURNS = 800;

/** A prompt, an answer with a thought and a call, the result: again and again. */
function longSession(): Json[] {
  const lines: Json[] = [];
  for (let i = 0; i < TURNS; i++) {
    lines.push(user(`u${i}`, i === 0 ? null : `r${i - 1}`, `prompt ${i}.`));
    lines.push(
      assistant(
        `a${i}`,
        `u${i}`,
        [
          { type: 'text', text: `answer ${i} </script><!-- & <b>` },
          toolUse(`T${i}`, 'Bash', { command: `echo ${i}.` }),
        ],
        { id: `m${i}` },
      ),
    );
    lines.push(user(`r${i}`, `a${i}`, [toolResult(`T${i}`, `output <i>${i}</i>.`)]));
  }
  return lines;
}

describe.skipIf(chromiumPath === undefined)('O14 a long page, of which most begins as text (needs Chromium)', () => {
  let browser: Browser;
  let page: Page;
  let folder = '';
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'skein-long-'));
    const { outline } = claudeOutline(longSession());
    writeFileSync(join(folder, 'page.html'), [...renderPage(outline, { title: 'long', facts: [] })].join(''));
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  }, 30_000);
  beforeEach(() => open());
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (hash = ''): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`file://${join(folder, 'page.html')}${hash}`);
    await page.locator('.strip svg').waitFor();
  };
  const count = (what: string): Promise<number> => page.locator(what).count();
  const node = (id: string) => page.locator(`[id="r-${id}"]`);
  const counted = async (): Promise<string[]> =>
    (await page.locator('.filters label').allTextContents()).map((each) => each.trim());

  test('few nodes are elements, and all are counted', async () => {
    expect(await count('section.n')).toBeLessThan(400);
    await expect.poll(counted).toEqual(['user 800', 'assistant 800', 'tool 0/800']);
    expect(complaints).toEqual([]);
  });

  test('it unfolds and folds as a whole, also what wakes later', async () => {
    const all = page.locator('section.n[data-t=session] > .bar button').last();
    await all.click();
    await expect.poll(counted).toEqual(['user 800', 'assistant 800', 'tool 800']);
    const wake = () => page.evaluate('document.querySelector(".g:last-child").scrollIntoView()');
    await wake();
    await node('u799').waitFor();
    expect(await node('a799').getAttribute('data-s')).toBe('C');
    expect(await node('a799_tool_0').isVisible()).toBe(true);
    await all.click();
    await expect.poll(counted).toEqual(['user 800', 'assistant 0/800', 'tool 0/800']);
    expect(await node('u799').getAttribute('data-s')).toBe('A');
  });

  test.each([
    ['a node', 'u700', 'u700'],
    ['a tool in a folded answer', 'a700_tool_0', 'a700_tool_0'],
    ['the second half of a pair', 'a700_result_0', 'a700_tool_0'],
  ])('O13 an address leads to %s that is still text', async (_what, hash, id) => {
    await open(`#${hash}`);
    await node(id).waitFor({ state: 'visible' });
    expect(await node(id).getAttribute('class')).toContain('here');
    await expect(
      node(id).evaluate(
        (element) => (element as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top,
      ),
    ).resolves.toBeLessThan(700);
  });

  test('O13 the search finds text that is no element yet, heads and folded bodies too', async () => {
    for (const [text, id] of [
      ['prompt 650.', 'u650'],
      ['answer 651 </script><!-- & <b>', 'a651'],
      ['echo 652.', 'a652_tool_0'],
      ['output <i>653</i>.', 'a653_tool_0'],
    ] as const) {
      await page.fill('.search input[type=search]', text);
      await page.press('.search input[type=search]', 'Enter');
      expect([text, await page.locator('.hits').textContent()]).toEqual([text, '1 of 1']);
      expect(await node(id).locator('mark').count()).toBeGreaterThan(0);
    }
  });

  test('O13 a click at the end of the strip leads to the end', async () => {
    const { width = 0 } = (await page.locator('.strip').boundingBox()) ?? {};
    await page.locator('.strip').click({ position: { x: width - 2, y: 10 } });
    await node('u799').waitFor({ state: 'visible' });
  });

  test('O13 a type that is left out stays left out in what wakes', async () => {
    await page.locator('.filters label', { hasText: 'user' }).locator('input').uncheck();
    await expect.poll(counted).toEqual(['user 0/800', 'assistant 800', 'tool 0/800']);
    await page.evaluate('document.querySelector(".g:last-child").scrollIntoView()');
    await node('a799').waitFor({ state: 'visible' });
    expect(await node('u799').locator(':scope > .h').isVisible()).toBe(false);
  });

  test('O9 arrows lead on into what was text', async () => {
    await page.evaluate(`document.querySelectorAll('.g:not([data-z])').forEach((group) => group.scrollIntoView())`);
    const bars = page.locator('section.n[data-t=user] > .bar button');
    await bars.last().focus();
    const before = await count('.g[data-z]');
    for (let i = 0; i < 200; i++) await page.keyboard.press('ArrowDown');
    expect(await count('.g[data-z]')).toBeLessThan(before);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BUTTON');
  });

  test('O14 the list of contents is there when it is opened', async () => {
    expect(await count('.toc li')).toBe(0);
    await page.locator('.toc summary').click();
    await expect.poll(() => count('.toc li')).toBe(TURNS);
    await page.locator('.toc a', { hasText: 'prompt 640.' }).click();
    await node('u640').waitFor({ state: 'visible' });
  });

  test('O14 on paper everything is there', async () => {
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await count('[data-z], [data-i]')).toBe(0);
    expect(await count('section.n')).toBe(1 + 3 * TURNS);
    expect(await page.evaluate('document.querySelector("main").textContent')).toContain('output <i>799</i>.');
  });
});
