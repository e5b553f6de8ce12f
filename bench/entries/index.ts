import type { Entry } from '../entry.ts';
import { append } from './append.ts';
import { context } from './context.ts';
import { doubling } from './doubling.ts';
import { extremes } from './extremes.ts';
import { journal } from './journal.ts';
import { longLineEntry } from './long-line.ts';
import { memory } from './memory.ts';
import { tree } from './tree.ts';

export const entries: readonly Entry[] = [tree, doubling, extremes, append, context, journal, memory, longLineEntry];
