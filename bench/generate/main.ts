/** `node bench/generate/main.ts --mib 64 --seed 1 -o DIR`: writes a corpus and prints its profile beside that of the real one, if it is there. */
import { parseArgs } from 'node:util';
import { realCorpus } from '../real-corpus.ts';
import { writeProjects } from './index.ts';
import { type Profile, profileFolder } from './profile.ts';

const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '64' },
    seed: { type: 'string', default: '1' },
    'line-bytes': { type: 'string', default: '3000' },
    out: { type: 'string', short: 'o' },
  },
});
if (values.out === undefined) {
  console.error('Usage: node bench/generate/main.ts [--mib 64] [--seed 1] [--line-bytes 3000] -o DIR');
  process.exit(2);
}

writeProjects(values.out, {
  bytes: Number(values.mib) * 1048576,
  seed: Number(values.seed),
  lineBytes: Number(values['line-bytes']),
});
const profiles: [string, Profile][] = [['generated', profileFolder(values.out)]];
if (realCorpus !== null) profiles.push(['real corpus', profileFolder(realCorpus)]);
print(profiles);

function print(columns: readonly (readonly [string, Profile])[]): void {
  const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const row = (name: string, cell: (profile: Profile) => string): void =>
    console.log(name.padEnd(28) + columns.map(([, profile]) => cell(profile).padStart(16)).join(''));
  console.log(' '.repeat(28) + columns.map(([name]) => name.padStart(16)).join(''));
  row('files', ({ files }) => `${files}`);
  row('size', ({ bytes }) => `${(bytes / 1048576).toFixed(1)} MiB`);
  row('file size p50', ({ p50 }) => kb(p50));
  row('file size p99', ({ p99 }) => kb(p99));
  row('file size max', ({ max }) => kb(max));
  row('lines', ({ lines }) => `${lines}`);
  row('bytes per line', ({ bytesPerLine }) => bytesPerLine.toFixed(0));
  row('indexable text', ({ textShare }) => percent(textShare));
  row('different words', ({ vocabulary }) => `${vocabulary}`);
  const types = new Set(columns.flatMap(([, profile]) => [...profile.types.keys()]));
  for (const type of [...types].sort())
    row(`  ${type}`, ({ types: counts, lines }) => percent((counts.get(type) ?? 0) / Math.max(1, lines)));
}
