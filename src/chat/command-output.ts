import { type RecordContent, stripEscapes } from '../model/index.ts';

/** What a command printed, without colours; empty when there is nothing to show. */
export function commandOutput({ own, replies }: RecordContent): string {
  const texts: string[] = [];
  for (const block of [...own, ...replies])
    if (block.type === 'output' || (block.type === 'text' && block.unreadable))
      texts.push(stripEscapes(block.text).trim());
  const text = texts.filter((each) => each !== '' && each !== NOTHING).join('\n');
  return text;
}

/** What the agent writes for a command that printed nothing. */
const NOTHING = '(no content)';
