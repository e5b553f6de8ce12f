import type { FileFacts, Line } from '../../model/index.ts';
import { objectOf, textOf } from '../lines/index.ts';

/** `agent-abc123.meta.json`: `{"agentType":"Explore","description":"look","toolUseId":"toolu_B","name":"alice"}` */
export function readSidecar(file: FileFacts, text: string): Line | null {
  let meta: ReturnType<typeof objectOf> = null;
  try {
    meta = objectOf(JSON.parse(text));
  } catch {
    return null;
  }
  if (!meta) return null;
  const ref = { file: file.id, line: 1, offset: 0, bytes: text.length };
  const tokens: string[] = [];
  const call = textOf(meta.toolUseId);
  if (call !== null) tokens.push(`call:${call}`);
  const name = textOf(meta.name);
  if (name !== null) tokens.push(`name:${name}`);
  const description = textOf(meta.description);
  if (description !== null) tokens.push(`summary:${description}`);
  const value = { id: file.native, tokens, type: textOf(meta.agentType), name, description };
  return { in: 'bookkeeping', ref, fact: { type: 'subagent', about: null, value, ref }, warnings: [] };
}
