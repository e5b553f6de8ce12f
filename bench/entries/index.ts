import type { Entry } from '../entry.ts';
import { append } from './append.ts';
import { context } from './context.ts';
import { doubling } from './doubling.ts';
import { extremes } from './extremes.ts';
import { longLineEntry } from './long-line.ts';
import { memory } from './memory.ts';
import { page } from './page.ts';
import { tree } from './tree.ts';

export const entries: readonly Entry[] = [tree, doubling, extremes, append, context, memory, longLineEntry, page];
