/** Opens a session file, asks and appends, as ours or as the real Pi, and prints the milliseconds of CPU that each took. */
import { readFileSync } from 'node:fs';
import * as ours from '../../src/journal/index.ts';
import { loadPi } from '../../test/kit/pi.ts';
import { cpuTime } from '../measure.ts';

const [side = 'ours', file = '', dir = ''] = process.argv.slice(2);
const APPENDED = 10_000;
const LEAST_MS = 300;

function timeOf(run: () => unknown): number {
  for (let warm = 0; warm < 3; warm++) run();
  const start = cpuTime();
  for (let runs = 1; ; runs++) {
    run();
    const spent = cpuTime() - start;
    if (spent > LEAST_MS) return spent / runs;
  }
}

const parse = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

function measure({ SessionManager }: typeof ours) {
  const session = SessionManager.open(file);
  const messages = session.buildSessionContext().messages.slice(0, APPENDED) as ours.Message[];
  const getBranch = timeOf(() => session.getBranch());
  const getTree = timeOf(() => session.getTree());
  const context = timeOf(() => session.buildSessionContext());
  const appended = SessionManager.create('/p', dir);
  const append = timeOf(() => {
    for (const message of messages) appended.appendMessage(message);
  });
  const open = timeOf(() => SessionManager.open(file));
  const openAll = timeOf(() => SessionManager.open(file).buildSessionContext());
  return { getBranch, getTree, context, append, open, openAll };
}

const pi = side === 'pi' ? await loadPi() : null;
const result = side === 'parse' ? { open: timeOf(parse) } : measure(pi ?? ours);
console.log(JSON.stringify(result));
