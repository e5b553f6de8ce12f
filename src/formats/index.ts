import type { Format } from '../model/index.ts';
import { claudeCode } from './claude-code/index.ts';
import { pi } from './pi/index.ts';
import { type Recognised, recogniseAmong } from './recognise.ts';

/** Every format Skein reads. A new one is a folder here and a line in this list. */
export const formats: readonly Format[] = [pi, claudeCode];

export const recognise = (head: string): Recognised => recogniseAmong(formats, head);

export { LineSplitter, type OnLine, type Position } from './lines/index.ts';
export type { Recognised } from './recognise.ts';
