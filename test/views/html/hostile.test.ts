import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderPlain } from '../../../src/views/html/blocks.ts';
import { renderMarkdown } from '../../../src/views/html/markdown.ts';
import { chromiumPath, openBrowser } from '../../kit/chromium.ts';
import { type Home, openHome } from '../../kit/home.ts';
import { type Json, user } from '../../kit/transcript.ts';
import { collidingPrompts, hostileBranches, hostileRound } from './hostile-session.ts';
import { payloads } from './payloads.ts';

const SEARCH = '.search input[type=search]';
const put = (payload: string, n: number) => (field: string) => `${payload} ~${field}${n}~`;

function linesWith(puts: readonly ((field: string) => string)[]): Json[] {
  let last: string | null = null;
  const lines = puts.flatMap((own, n) => {
    const round = hostileRound(n, own, last);
    last = round.last;
    return round.lines;
  });
  return [...lines, ...collidingPrompts('all', `${last}`), ...hostileBranches(`${last}`, puts)];
}

const MARK = /~([a-z-]+)\d+~/g;

test('O11 there are at least 150 payloads', () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(150);
});

test.each(['![', '[', '*a_', '`', '> ', '<!--', '|-', '\u202e', '\ud800', '\x1b[', '\n'])(
  'O11 a text of nothing but %j, and a huge one, is rendered',
  (piece) => {
    for (const size of [50_000, 3_000_000]) {
      const text = piece.repeat(size / piece.length);
      expect(renderMarkdown(text).length + renderPlain(text).length).toBeGreaterThan(0);
    }
  },
);

/** What happened besides showing a page. */
interface Watch {
  readonly page: Page;
  readonly requests: string[];
  readonly complaints: string[];
}

describe.skipIf(chromiumPath === undefined)('Hostile strings in every field that is rendered (needs Chromium)', () => {
  let home: Home;
  let browser: Browser;
  beforeAll(async () => {
    home = openHome();
    const puts = payloads.map(put);
    // One page with every payload is heavy: the slower half of what a reader can do is tried on another.
    home.write('all/all.jsonl', linesWith(puts));
    home.write('few/few.jsonl', linesWith(puts.filter((_, n) => n % 9 === 0)));
    puts.forEach((own, n) => {
      if (n % 3 === 2) return;
      home.write(`.claude/projects/p${n}/s${n}.jsonl`, [
        { type: 'custom-title', customTitle: own('title'), sessionId: `s${n}` },
        user(`u${n}`, null, 'x', { cwd: own('cwd'), gitBranch: own('git-branch'), sessionId: `s${n}` }),
      ]);
    });
    for (const what of ['all/all.jsonl', 'few/few.jsonl', '--all']) {
      const { code, err } = home.skein(['export', what, '--verbose', '-o', 'out']);
      expect([code, err]).toEqual([0, '']);
    }
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    home.remove();
  });

  async function open(file: string, bypassCSP: boolean): Promise<Watch> {
    const context = await browser.newContext({ bypassCSP });
    const page = await context.newPage();
    const [requests, complaints]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(`${error}`));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('page', () => complaints.push('a window'));
    page.on('framenavigated', (frame) => requests.push(`went to ${frame.url()}`));
    context.on('request', (request) => requests.push(request.url()));
    await page.addInitScript(`
      globalThis.hit = (n) => console.log('executed ' + n);
      document.addEventListener('securitypolicyviolation', (event) => console.log('policy ' + event.violatedDirective + ' ' + event.sample + event.blockedURI));
    `);
    await page.goto(`file://${join(home.path, 'out', file)}`);
    return { page, requests, complaints };
  }

  /** Unfolds, opens and wakes everything. */
  async function lookAtAll(page: Page): Promise<void> {
    const bar = page.locator('section.n[data-t=session] > .bar button').last();
    await bar.click();
    await page.evaluate(`(() => {
      for (const head of document.querySelectorAll('section.n > .h')) head.click();
      for (const each of document.querySelectorAll('details')) each.open = true;
      dispatchEvent(new Event('beforeprint'));
    })()`);
  }

  async function useAll(page: Page): Promise<void> {
    await lookAtAll(page);
    await page.emulateMedia({ media: 'print' });
    await page.emulateMedia({ media: 'screen' });
    for (const text of ['<script>', 'onerror=hit', 'javascript:', '\u202e']) {
      await page.fill(SEARCH, text);
      await page.press(SEARCH, 'Enter');
    }
    await page.check('.search .regex');
    for (const text of ['(', '<[a-z]+', '(a+)+$']) {
      await page.fill(SEARCH, text);
      await page.press(SEARCH, 'Enter');
    }
    await page.fill(SEARCH, '');
    for (const box of await page.locator('.filters input').all()) await box.click();
    for (const box of await page.locator('.filters input').all()) await box.click();
    await page.evaluate(`(async () => {
      const links = [...document.querySelectorAll('a.at')].filter((link) => /~/.test(link.getAttribute('href')));
      for (let i = 0; i < links.length; i += 12) {
        location.hash = links[i].getAttribute('href');
        await new Promise((done) => setTimeout(done));
      }
    })()`);
  }

  const isElsewhere = (page: Page) => (address: string) =>
    !address.replace(/[?#].*/, '').endsWith(page.url().replace(/[?#].*/, ''));

  test('O11 nothing executes, loads or navigates, even without the policy, and every field is there', async () => {
    const { page, requests, complaints } = await open('all.html', true);
    await lookAtAll(page);
    expect(complaints).toEqual([]);
    expect(requests.filter(isElsewhere(page))).toEqual([]);
    expect(await page.evaluate(FIND_ODD, [])).toEqual([]);
    const text = `${await page.evaluate('document.body.textContent')}`;
    const seen = new Map<string, number>();
    for (const [, field = ''] of text.matchAll(MARK)) seen.set(field, (seen.get(field) ?? 0) + 1);
    expect(fieldNames().filter((field) => (seen.get(field) ?? 0) < payloads.length / 2)).toEqual([]);
    await page.context().close();
  });

  test('O11 whatever a reader does, the policy has nothing to report', async () => {
    const { page, requests, complaints } = await open('few.html', false);
    await useAll(page);
    expect(complaints).toEqual([]);
    expect(requests.filter(isElsewhere(page))).toEqual([]);
    await page.context().close();
  });

  test('O11 titles, paths and branch names are text in pages and lists', async () => {
    const { page, complaints } = await open('index.html', true);
    const files = readdirSync(join(home.path, 'out'), { recursive: true, encoding: 'utf8' });
    const pages = files.filter((file) => /[\\/]|^index/.test(file) && file.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(300);
    const bodies = pages.map((file) => {
      const html = readFileSync(join(home.path, 'out', file), 'utf8');
      return cut(cut(html, 'style'), 'script');
    });
    for (const html of bodies) expect(html).toMatch(MARK);
    expect(await page.evaluate(FIND_ODD, bodies)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

function fieldNames(): string[] {
  const asked = new Set<string>();
  linesWith([(field) => `${asked.add(field).size}`]);
  return [...asked].filter((field) => !UNSEEN.has(field));
}

/** Fields that no page shows, or only where nothing better is there. */
const UNSEEN = new Set(
  'agent-id model uuid branch-uuid call-id data result-data patch-start todo-form subtype level trigger'.split(' '),
);

/** Without the first element of a name: what the page itself brings. */
function cut(html: string, name: string): string {
  const [from, to] = [html.indexOf(`<${name}>`), html.indexOf(`</${name}>`)];
  return from < 0 ? html : html.slice(0, from) + html.slice(to + name.length + 3);
}

/** Elements, attributes and addresses that no page has. */
const FIND_ODD = (pages: readonly string[]): string[] => {
  type Element = {
    tagName: string;
    attributes: Iterable<{ name: string; value: string }>;
    matches(s: string): boolean;
  };
  const scope = globalThis as unknown as {
    document: { querySelectorAll(s: string): Iterable<Element> };
    DOMParser: new () => { parseFromString(text: string, type: string): typeof scope.document };
  };
  const parser = new scope.DOMParser();
  const parsed = pages.map((html) => parser.parseFromString(html, 'text/html'));
  const TAGS =
    'html head meta title style body header nav main section div span p a b i em strong s del ins code pre h1 h2 h3 h4 h5 h6 ol ul li dl dt dd table thead tbody tr th td blockquote hr br details summary img time input label button output mark svg rect path script'.split(
      ' ',
    );
  const ATTRIBUTES =
    'class id href src alt title rel type role placeholder spellcheck tabindex datetime open start lang charset content name http-equiv x y width height viewBox preserveAspectRatio d fill'.split(
      ' ',
    );
  const odd: string[] = [];
  for (const page of parsed.length > 0 ? parsed : [scope.document]) {
    const ids = new Set<string>();
    for (const element of page.querySelectorAll('*')) {
      const tag = element.tagName.toLowerCase();
      if (!TAGS.includes(tag)) odd.push(tag);
      for (const { name, value } of element.attributes) {
        // Older sessions are in the list of all, but seen only when it is narrowed.
        const isOlder = name === 'hidden' && value === '' && element.matches('section.group[data-h]');
        if (!isOlder && !ATTRIBUTES.includes(name) && !/^(?:data|aria)-[a-z]+$/.test(name))
          odd.push(`${tag} ${name}=${value}`);
        if (name === 'id' && !/^(?:r-|c-\d+$)/.test(value)) odd.push(`id ${value}`);
        if (name === 'id' && ids.has(value)) odd.push(`twice ${value}`);
        if (name === 'id') ids.add(value);
        if (name === 'href' && !/^(?:https?:\/\/|mailto:|#|(?:[\w.%-]+\/|\.\.\/)?[\w.%-]+\.html$)/i.test(value))
          odd.push(`href ${value}`);
        if (name === 'src' && !/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]*$/.test(value))
          odd.push(`src ${value}`);
        if (name === 'name' && tag !== 'meta') odd.push(`name ${value}`);
        if (tag === 'meta' && name === 'http-equiv' && value !== 'Content-Security-Policy') odd.push(`meta ${value}`);
      }
    }
  }
  return odd;
};
