import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Hit } from '../../search/index.ts';
import type { RootOptions } from '../options.ts';

/** Shows a hit where it stands, as `skein show` does. */
export async function openHit({ session, record }: Hit, { root = [] }: RootOptions): Promise<void> {
  const args = ['show', session, '--at', record, ...root.flatMap((folder) => ['--root', folder])];
  const shown = spawn(process.execPath, [process.argv[1] ?? '', ...args], { stdio: 'inherit' });
  process.on('SIGINT', ignore);
  await once(shown, 'close');
  process.off('SIGINT', ignore);
}

/** Ctrl+C belongs to what is shown. */
const ignore = (): void => undefined;
