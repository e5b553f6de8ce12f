import { createHash } from 'node:crypto';

/** Names come from logs: nothing in them may lead out of the folder. A name that had to be changed is told from others that became the same. */
export function safeName(name: string): string {
  const safe = name
    .replace(/[^\w.-]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 150);
  return safe === name && safe !== '' ? safe : `${safe}-${digest(name).slice(0, 6)}`;
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
