import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
}

/** The folder that holds what Skein stores. */
export const dataFolder = (): string =>
  resolve(dataHome({ env: process.env, home: homedir(), platform: process.platform }));

/** Where Skein keeps what it stores: `SKEIN_HOME`, else the data folder of the platform. */
function dataHome({ env, home, platform }: Machine): string {
  if (env.SKEIN_HOME) return env.SKEIN_HOME;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'skein');
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'skein');
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'skein');
}
