import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Desk {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly isTerminal: boolean;
}

/** Opens an address in the browser of somebody who sits before the screen; gives whether it was tried. */
export function openBrowser(url: string, desk: Desk = here()): boolean {
  const [program, ...args] = openerOf(desk) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  // No browser after all: the address is printed anyway.
  child.on('error', () => undefined);
  child.unref();
  return true;
}

const here = (): Desk => ({
  env: process.env,
  platform: process.platform,
  isTerminal: process.stdout.isTTY === true,
});

/** Null where nobody would see it: in a pipe, in CI, over a network, without a desktop. */
export function openerOf({ env, platform, isTerminal }: Desk): readonly string[] | null {
  const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY);
  if (!isTerminal || env.CI) return null;
  if (platform === 'darwin') return isRemote ? null : ['open'];
  if (platform === 'win32') return isRemote ? null : ['cmd', '/c', 'start', '""'];
  // With a display it is shown there, also from afar.
  const hasDesktop = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return hasDesktop && isOnPath('xdg-open', env.PATH ?? '') ? ['xdg-open'] : null;
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}
