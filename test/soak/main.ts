/**
 * `npm run soak`: kills `index`, `forget`, `export` and programs that write sessions at any moment, and flips bits of the three databases;
 * after each the commands people use must answer as before or say what is damaged. `--kills`, `--flips`: so many, `--from`: beginning
 * with this flip, so that `--kills 0 --flips 1 --from 17` runs the seventeenth again.
 */
import { parseArgs } from 'node:util';
import { Figures } from './figures.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    flips: { type: 'string', default: '500' },
    from: { type: 'string', default: '0' },
  },
});
const figures = new Figures();
const begun = performance.now();
await soak({ kills: Number(values.kills), flips: Number(values.flips), from: Number(values.from) }, figures);
figures.print();
console.log(`${((performance.now() - begun) / 60_000).toFixed(1)} minutes.`);
process.exitCode = figures.violations.length === 0 ? 0 : 1;
