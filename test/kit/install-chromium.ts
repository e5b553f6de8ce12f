import { spawnSync } from 'node:child_process';
import { findChromium } from './chromium.ts';

/** Before the tests: the page is tested in a real browser. Root on Debian gets one, everybody else is told how. */
export default function setup(): void {
  if (findChromium() !== undefined) return;
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall) {
    console.log('Chromium is missing: apt-get install chromium (once, a minute or two)');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const options = { env, stdio: 'ignore', timeout: 300_000 } as const;
    spawnSync('apt-get', ['update', '-q'], options);
    spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'], options);
  }
  if (findChromium() === undefined)
    console.log('Tests in a browser are skipped: there is no Chromium. To run them: sudo apt-get install chromium');
}
