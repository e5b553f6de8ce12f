import type { RowTool } from '../../../outline/index.ts';
import { escapeHtml } from '../escape.ts';
import { type Fields, fields, plainOutput, text } from './view.ts';

/** What came back, as one text. */
export function said({ result }: RowTool): string {
  const output = result?.block.output;
  if (typeof output === 'string') return output;
  return Array.isArray(output) ? output.map((part) => text(fields(part).text)).join('\n') : '';
}

/** What came back, where it is JSON; nothing else. */
export function saidFields(tool: RowTool): Fields {
  const told = said(tool).trim();
  if (!told.startsWith('{')) return {};
  try {
    return fields(JSON.parse(told));
  } catch {
    return {};
  }
}

const LONGEST = 600;

/** A confirmation in a sentence, alone or as the `message` of JSON; anything longer as it is. */
export function sentence(tool: RowTool): string {
  const told = said(tool).trim();
  const message = text(saidFields(tool).message) || text(fields(tool.result?.block.detail).message) || told;
  if (tool.isError || message === '' || message.length > LONGEST || (message === told && told.startsWith('{')))
    return plainOutput(tool);
  return message
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `<p>${escapeHtml(line)}</p>`))
    .join('');
}
