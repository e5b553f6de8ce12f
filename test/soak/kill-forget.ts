import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { archivedContents } from './archived.ts';
import type { Figures } from './figures.ts';
import type { KillJob } from './kill-job.ts';
import { runSkein } from './run-skein.ts';
import { World } from './world.ts';

const SESSIONS = 4;

/** `skein forget` is killed: after the next `index` the session is forgotten or there as a whole. */
export async function killForget({ seed, kills, random, figures, isOver }: KillJob): Promise<void> {
  const world = new World(seed);
  try {
    for (let i = 0; i < SESSIONS; i++) world.addSession();
    let patience = 0;
    for (let done = 0; done < kills && !isOver(); ) {
      const place = `forget, kill ${done} of ${seed}`;
      const id = world.addSession();
      world.write(`-home-ada-0/${id}/subagents/agent-${id.slice(0, 6)}.jsonl`, '{"type":"user"}\n');
      await world.skein('index');
      if (random.chance(0.5)) world.delete(id);
      const before = await filesOf(world, id);
      const begun = performance.now();
      const { code } = await runSkein(
        world,
        ['forget', id, '--yes'],
        patience === 0 ? undefined : patience * (0.3 + random.next()),
      );
      if (code === null) {
        figures.count('forget killed');
        done++;
      } else patience = performance.now() - begun;
      await world.skein('index');
      const left = await filesOf(world, id);
      if (left !== 0 && left !== before)
        figures.violation(`of ${before} files ${left} are left after a killed forget`, place);
      if (left > 0) await forgetAgain(world, id, place, figures);
      for (const name of namesHolding(world.data, id))
        figures.violation(`${name} still holds the id of what was forgotten`, place);
    }
  } finally {
    world.remove();
  }
}

async function forgetAgain(world: World, id: string, place: string, figures: Figures): Promise<void> {
  const { code, err } = await world.skein('forget', id, '--yes');
  if (code !== 0) figures.violation(`forget after a killed one ends with ${code}: ${err.split('\n')[0]}`, place);
  await world.skein('index');
  if ((await filesOf(world, id)) > 0) figures.violation('what was forgotten is archived again', place);
}

async function filesOf(world: World, id: string): Promise<number> {
  return [...(await archivedContents(world.data)).keys()].filter((path) => path.includes(id)).length;
}

/** The index lists what still lies on disk; the archive names nothing of it. */
const namesHolding = (data: string, id: string): string[] =>
  readdirSync(data).filter((name) => name.startsWith('archive.') && readFileSync(join(data, name)).includes(id));
