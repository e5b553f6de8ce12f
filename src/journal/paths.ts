import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDir } from './replace-file.ts';

export function normalizePath(path: string): string {
  if (path === '~') return homedir();
  if (path.startsWith('~/')) return join(homedir(), path.slice(2));
  return path.startsWith('file://') ? fileURLToPath(path) : path;
}

export const resolvePath = (path: string): string => resolve(normalizePath(path));

const agentDir = (): string => normalizePath(process.env.PI_CODING_AGENT_DIR || join(homedir(), '.pi', 'agent'));

/** The folders of all working folders. */
export const sessionsDir = (): string => join(agentDir(), 'sessions');

/** `/Users/x/p` → `--Users-x-p--`. It cannot be turned back: the header names the working folder. */
export function defaultDirOf(cwd: string, agent: string = agentDir()): string {
  const name = resolvePath(cwd)
    .replace(/^[/\\]/, '')
    .replace(/[/\\:]/g, '-');
  return join(resolvePath(agent), 'sessions', `--${name}--`);
}

export function getDefaultSessionDir(cwd: string, agent?: string): string {
  return makeDir(defaultDirOf(cwd, agent));
}

export const fileNameOf = (timestamp: string, id: string): string => `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`;

export const sameFolder = (cwd: unknown, resolved: string): boolean =>
  typeof cwd === 'string' && cwd !== '' && resolvePath(cwd) === resolved;
