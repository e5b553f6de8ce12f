import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Hit } from '../../search/index.ts';
import type { RootOptions } from '../options.ts';

/** Shows a hit where it stands, through a pager: what follows may be long, and the place is at its beginning. */
export async function openHit({ session, record }: Hit, { root = [] }: RootOptions): Promise<void> {
  const args = ['show', session, '--at', record, ...root.flatMap((folder) => ['--root', folder])];
  const program = process.argv[1] ?? '';
  const shown = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pager = spawn(process.env.PAGER || 'less', {
    shell: true,
    stdio: [shown.stdout, 'inherit', 'inherit'],
    env: { LESS: 'FRX', ...process.env },
  });
  const [code] = await once(pager, 'close');
  shown.kill();
  // 127: the shell knows no such program.
  if (code === 127) await once(spawn(process.execPath, [program, ...args], { stdio: 'inherit' }), 'close');
}
