import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { Entry } from '../entry.ts';
import { writeProjects } from '../generate/index.ts';

/** `SKEIN_BENCH_MIB=1024 npm run bench -- scan` */
const MIB = Number(process.env.SKEIN_BENCH_MIB ?? 256);

interface Scan {
  readonly bytes: number;
  readonly total: number;
  readonly cpu: number;
  readonly wall: number;
  readonly peak: number;
}

/** Substrings and expressions over an archive: decompressed, looked through as bytes, parsed only where something may match. */
export const scan: Entry = {
  name: 'scan',
  *run(folder) {
    const root = join(folder, 'corpus', 'projects');
    writeProjects(root, { bytes: MIB * 1048576 });
    addNeedle(root);
    runChild('archive', root, join(folder, 'home'));
    const archive = join(folder, 'home', 'archive.db');
    for (const [what, as, text, limit] of QUESTIONS) {
      const { bytes, total, cpu, wall, peak } = runChild<Scan>('scan', archive, as, text);
      const speed = (ms: number): string => `${(bytes / 1000 / ms).toFixed(0)} MB/s`;
      yield {
        name: `${what}, CPU time per 250 MB`,
        figure: (cpu / bytes) * 250e6,
        unit: 'ms',
        limit,
        note: `${speed(cpu)} per core, ${speed(wall)} on the clock; ${total} found, peak ${(peak / 1e6).toFixed(0)} MB`,
      };
    }
  },
};

const QUESTIONS = [
  ['substring that is nowhere', 'substring', 'zyzzyva quagga', 1000],
  ['substring that is in one message', 'substring', 'Quagga-7', 1000],
  ['expression with text in it', 'regex', 'quagga-[0-9]', 1000],
  ['expression that is looked for in every message', 'regex', '[qQ]uagg[a]-\\d', null],
] as const;

function addNeedle(root: string): void {
  const [project = ''] = readdirSync(root).sort();
  const line = {
    type: 'user',
    uuid: 'needle',
    parentUuid: null,
    sessionId: 'needle',
    timestamp: '2026-01-01T00:00:00.000Z',
  };
  const message = { role: 'user', content: 'where is quagga-7' };
  appendFileSync(join(root, project, 'needle.jsonl'), `${JSON.stringify({ ...line, message })}\n`);
}
