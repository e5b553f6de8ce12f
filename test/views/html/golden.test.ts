import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallResult } from '../../../src/model/index.ts';
import { renderTool } from '../../../src/views/html/tools/index.ts';

const FOLDER = join(import.meta.dirname, 'golden');
const at = { file: 'f', line: 1, offset: 0, bytes: 0 };

/** A call and what came back, as the log has them. */
interface Case {
  readonly name: string;
  readonly input: unknown;
  readonly output?: unknown;
  readonly detail?: unknown;
  readonly body?: string;
  readonly isError?: boolean;
}

/** A new pair of files is a new test; `npx vitest run golden --update` writes what is expected. */
describe('O12 each tool as the page shows it', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

  test.each(names)('%s', async (file) => {
    const {
      name,
      input,
      output,
      detail,
      body,
      isError = false,
    }: Case = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
    const said = body === undefined ? [] : [{ type: 'text' as const, text: body, at }];
    const result: CallResult | null =
      output === undefined
        ? null
        : { block: { type: 'result', of: 't', output, detail, isError, at }, time: null, more: [], body: said };
    const call = { type: 'call' as const, id: 't', name, input, at };
    const html = renderTool({ id: 't', name, call, result, isError, subagents: [] });
    // One element per line reads better in a diff.
    const shown = `${html.input}\n\n${html.results.join('')}`
      .replace(/(?<=>)(?=<(?:dt|li|tr|pre|p|div|ul|dl|table|details|ins>|del>))/g, '\n')
      .trim();
    await expect(`${shown}\n`).toMatchFileSnapshot(join(FOLDER, file.replace('.json', '.html')));
  });
});
