import type { Format } from '../model/index.ts';
import { claudeCode } from './claude-code/index.ts';
import { pi } from './pi/index.ts';

/** Every format Skein reads. A new one is a folder here and a line in this list; the first that recognises a lone file reads it. */
export const formats: readonly Format[] = [pi, claudeCode];

export { LineSplitter, type OnLine, type Position } from './lines/index.ts';
