/** Opens a session as `skein tree` does, with the real screen on a terminal that is not there, presses keys, and prints what each took. */
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { History } from '../../src/history/index.ts';
import { readRows } from '../../src/library/read-rows.ts';
import { buildNodes, readLabels, Selector } from '../../src/selector/index.ts';
import type { Streams } from '../../src/terminal/streams.ts';
import { drawScreen } from '../../src/tui/draw-screen.ts';
import { TreeScreen } from '../../src/tui/tree-screen.ts';
import { cpuTime } from '../measure.ts';

const [file = '', what = ''] = process.argv.slice(2);
Object.assign(process.env, { NODE_ENV: 'production' });

const timed = <T>(run: () => T): { result: T; ms: number } => {
  const start = cpuTime();
  const result = run();
  return { result, ms: cpuTime() - start };
};

const read = timed(() => {
  const [session] = History.openFile(file).projects.flatMap((project) => project.sessions());
  if (!session) throw new Error(`no session in ${file}`);
  session.logs.read();
  return session;
});
const session = read.result;

const open = timed(() => {
  const { tree } = session.logs.read();
  const labels = readLabels(tree, session.facts);
  const selector = new Selector(buildNodes(tree, session.facts), readRows(session), { labels });
  const screen = new TreeScreen(selector, { title: 'bench', id: 'bench', branch: 'Branch?', shows: 'tree' });
  drawScreen(screen, { columns: 120, rows: 40 }, (_styles, text) => text);
  return screen;
});
const screen = open.result;

/** What a change of the filter costs, without the screen. */
const arrange = timed(() => {
  for (let round = 0; round < 25; round++) {
    screen.selector.cycleMode();
    screen.selector.page(37);
  }
});

/** From a key to the frame that shows it: milliseconds by the clock, and of CPU. */
async function press(): Promise<{ wall: number[]; cpu: number[] }> {
  const { runTree } = await import('../../src/tui/tree-app.ts');
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  const frames = new PassThrough();
  let isPressed = false;
  const act = screen.press.bind(screen);
  screen.press = (key) => {
    isPressed = true;
    return act(key);
  };
  const stdout = Object.assign(
    new Writable({
      write: (_chunk, _encoding, done) => {
        // Frames of a search that goes on come by themselves.
        if (isPressed) frames.emit('frame');
        isPressed = false;
        done();
      },
    }),
    { isTTY: true, columns: 120, rows: 40, hasColors: () => true },
  );
  const actions = { open: () => [], label: async () => null, branch: async () => '' };
  void runTree(screen, actions, { input: stdin, output: stdout } as unknown as Streams);
  await sleep(300);
  const times = { wall: [] as number[], cpu: [] as number[] };
  for (let round = 0; round < 3; round++) {
    for (const key of KEYS) {
      const [start, cpu] = [performance.now(), cpuTime()];
      stdin.write(key);
      await once(frames, 'frame');
      times.wall.push(performance.now() - start);
      times.cpu.push(cpuTime() - cpu);
      await sleep(15);
    }
  }
  return times;
}

const [UP, DOWN, LEFT, RIGHT, HOME, END] = ['A', 'B', 'D', 'C', 'H', 'F'].map((end) => `\u001b[${end}`);
const PAGES = ['\u001b[5~', '\u001b[6~'];
const SEARCH = [...'/question 77', '\u007f', '\u007f', '\u0015'];
const KEYS = [UP, UP, DOWN, HOME, DOWN, RIGHT, RIGHT, LEFT, LEFT, RIGHT, END, ...PAGES, '\u000f', UP, '\u000f', UP]
  .concat(['\u000f', '\u000f', '\u000f', END, ...SEARCH])
  .filter((key) => key !== undefined);

console.log(
  JSON.stringify({ read: read.ms, open: open.ms, arrange: arrange.ms / 25, ...(what === 'keys' ? await press() : {}) }),
);
process.exit(0);
