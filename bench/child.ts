import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a file of `children/` in a process of its own, whose memory is its own, and returns the JSON it prints. */
export function runChild<T>(name: string, ...args: readonly string[]): T {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`bench/children/${name}.ts ended with ${status}\n${stderr}`);
  return JSON.parse(stdout) as T;
}
