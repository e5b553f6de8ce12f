import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const findChromium = (): string | undefined => PLACES.find((path) => existsSync(path));
export const chromiumPath: string | undefined = findChromium();

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('Chromium is missing: apt-get install chromium');
  return chromium.launch({ executablePath: chromiumPath, args: FLAGS });
}
