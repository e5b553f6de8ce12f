import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as journal from '../../src/journal/index.ts';

const folder = join(import.meta.dirname, '../interop');
const core = join(folder, 'node_modules/@earendil-works/pi-coding-agent/dist/core');

/** The real Pi has the names that ours has. */
export type Pi = typeof journal;

/** Null if it is not installed. */
export async function loadPi(): Promise<Pi | null> {
  if (!existsSync(core)) return null;
  const parts = ['session-manager', 'messages', 'compaction/index'];
  const modules = await Promise.all(parts.map((part) => import(join(core, `${part}.js`))));
  return Object.assign({}, ...modules);
}

/** Installs it first, where that can be done. */
export async function installPi(): Promise<Pi | null> {
  if (!existsSync(core)) {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0', '--fetch-timeout=20000'];
    spawnSync('npm', args, { cwd: folder, timeout: 150_000 });
  }
  return loadPi();
}
