import type { Entry } from '../entry.ts';
import { again } from './again.ts';
import { append } from './append.ts';
import { archive } from './archive.ts';
import { chat } from './chat.ts';
import { context } from './context.ts';
import { doubling } from './doubling.ts';
import { exporting } from './export.ts';
import { extremes } from './extremes.ts';
import { index } from './index-cold.ts';
import { journal } from './journal.ts';
import { longLineEntry } from './long-line.ts';
import { memory } from './memory.ts';
import { page } from './page.ts';
import { scan } from './scan.ts';
import { search } from './search.ts';
import { selector } from './selector.ts';
import { show } from './show.ts';
import { tree } from './tree.ts';

export const entries: readonly Entry[] = [
  tree,
  doubling,
  extremes,
  append,
  context,
  chat,
  archive,
  again,
  index,
  scan,
  search,
  memory,
  longLineEntry,
  show,
  exporting,
  page,
  journal,
  selector,
];
