import { chromium } from 'playwright-core';
import { readFileSync, writeFileSync } from 'node:fs';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const html = readFileSync('/tmp/pages-shots/big.html', 'utf8');
const noscript = html.slice(0, html.lastIndexOf('<script>')) + '</body></html>';
writeFileSync('/tmp/pages-shots/big-ns.html', noscript);
writeFileSync('/tmp/pages-shots/big-nscv.html', noscript.replace('content-visibility:auto;contain-intrinsic-size:auto 5rem;', ''));
writeFileSync('/tmp/pages-shots/big-cvtop.html', noscript.replace('content-visibility:auto;contain-intrinsic-size:auto 5rem;', '').replace('</style>', '.n[data-l="1"]{content-visibility:auto;contain-intrinsic-size:auto 5rem;}</style>'));
for (const f of ['big-ns']) {
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(`file:///tmp/pages-shots/${f}.html`, { timeout: 100000 });
  console.log(f, await page.evaluate(`JSON.stringify([performance.getEntriesByType('navigation').map(e => [e.domInteractive, e.domComplete]), performance.getEntriesByType('paint').map(e => e.startTime)])`));
  await page.close();
}
await browser.close();
