import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { archivedContents } from './archived.ts';
import type { Figures } from './figures.ts';
import type { KillJob } from './kill-job.ts';
import { runSkein } from './run-skein.ts';
import { World } from './world.ts';

const SESSIONS = 6;
/** So often the index is compared with one that was never disturbed: it takes as long as everything else. */
const COMPARED = 10;

/** `skein index` is killed while the world changes: whatever was archived before is there, byte for byte, and the next run makes it whole. */
export async function killIndex({ seed, kills, random, figures, isOver }: KillJob): Promise<void> {
  const world = new World(seed);
  try {
    for (let i = 0; i < SESSIONS; i++) world.addSession();
    const long = await timed(() => world.skein('index'));
    const kept = new Map<string, Buffer[]>();
    keep(world, kept);
    let patience = long;
    for (let done = 0; done < kills && !isOver(); ) {
      for (let left = random.between(1, 4); left > 0; left--) world.change();
      const { code } = await runSkein(world, ['index'], patience * (0.25 + random.next()));
      // It was faster than expected.
      if (code !== null) patience = Math.max(long / 4, patience * 0.95);
      else {
        figures.count('index killed');
        done++;
      }
      await checkArchive(world, kept, `index, kill ${done} of ${seed}`, figures);
      // Killed again and again, before a run comes to its end.
      if (random.chance(0.3)) continue;
      await finish(world, done, kept, `index, kill ${done} of ${seed}`, figures);
    }
    await finish(world, 0, kept, `index, the end of ${seed}`, figures);
  } finally {
    world.remove();
  }
}

async function finish(
  world: World,
  done: number,
  kept: Map<string, Buffer[]>,
  place: string,
  figures: Figures,
): Promise<void> {
  const { code, err } = await world.skein('index');
  if (code !== 0) figures.violation(`index after a kill ends with ${code}: ${firstLine(err)}`, place);
  keep(world, kept);
  await checkArchive(world, kept, place, figures);
  if (done % COMPARED === 0) await compare(world, place, figures);
}

/** What a finished run has seen is kept from then on. */
function keep(world: World, kept: Map<string, Buffer[]>): void {
  for (const path of world.paths()) {
    const bytes = world.read(path);
    const known = kept.get(path) ?? [];
    if (known.some((each) => each.equals(bytes))) continue;
    // What only grew is there with its beginning.
    kept.set(path, [...known.filter((each) => !bytes.subarray(0, each.length).equals(each)), bytes]);
  }
}

async function checkArchive(
  world: World,
  kept: ReadonlyMap<string, readonly Buffer[]>,
  place: string,
  figures: Figures,
): Promise<void> {
  const archived = await archivedContents(world.data);
  for (const [path, contents] of kept)
    for (const bytes of contents) {
      figures.count('contents compared');
      const isThere = archived.get(path)?.some((each) => each.subarray(0, bytes.length).equals(bytes));
      if (!isThere) figures.violation('what was archived is not there any more after a kill', `${place}: ${path}`);
    }
}

/** An index that was killed and one that never was say the same. */
async function compare(world: World, place: string, figures: Figures): Promise<void> {
  figures.count('indexes compared with an undisturbed one');
  const verified = await world.skein('index', '--verify');
  if (verified.code !== 0 || verified.err !== '')
    figures.violation(`index --verify after a kill says: ${firstLine(verified.err)}`, place);
  const fresh = { home: world.home, data: join(world.home, 'undisturbed') };
  world.copyData(fresh.data);
  rmSync(join(fresh.data, 'index.db'));
  await runSkein(fresh, ['index']);
  for (const args of [
    ['sessions', '--json'],
    ['search', 'word1', '--json'],
    ['stats', '--json'],
  ]) {
    const [after, undisturbed] = [await world.skein(...args), await runSkein(fresh, args)];
    if (after.out !== undisturbed.out)
      figures.violation(`${args[0]} after a kill differs from an undisturbed index`, place);
  }
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/\d{3,}|\/\S+/g, '…');

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}
