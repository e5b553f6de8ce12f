import type { Format } from '../../model/index.ts';
import { cwdOf, locations, roleOf } from './locations.ts';
import { openReader } from './reader.ts';
import { sniff } from './sniff.ts';

export { idAt } from './entry-places.ts';

/** Session files of Pi, versions 1 to 3, and of oh-my-pi, which began as a copy of it. */
export const pi: Format = {
  name: 'pi',
  title: 'Pi',
  branches: 'stored',
  locations,
  // oh-my-pi: images and long texts that its entries name by their digest.
  beside: ['blobs'],
  sniff,
  roleOf,
  cwdOf,
  resume: ({ file }) => [/[\\/]\.omp[\\/]/.test(file) ? 'omp' : 'pi', '--session', file],
  open: openReader,
};
