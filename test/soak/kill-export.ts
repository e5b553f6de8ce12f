import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KillJob } from './kill-job.ts';
import { runSkein } from './run-skein.ts';
import { World } from './world.ts';

const SESSIONS = 12;

/** `skein export --all` is killed: when it is run again to its end, the folder is that of an undisturbed run. */
export async function killExport({ seed, kills, random, figures, isOver }: KillJob): Promise<void> {
  const world = new World(seed);
  try {
    for (let i = 0; i < SESSIONS; i++) world.addSession();
    const begun = performance.now();
    await world.skein('export', '--all', '-o', 'whole');
    let patience = performance.now() - begun;
    const whole = contentsOf(join(world.home, 'whole'));
    for (let done = 0; done < kills && !isOver(); ) {
      const { code } = await runSkein(world, ['export', '--all', '-o', 'killed'], patience * (0.3 + random.next()));
      if (code === null) {
        figures.count('export killed');
        done++;
      } else patience *= 0.95;
      if (code === null && random.chance(0.5)) continue;
      const place = `export, kill ${done} of ${seed}`;
      const { code: end } = await world.skein('export', '--all', '-o', 'killed');
      if (end !== 0) figures.violation(`export after a kill ends with ${end}`, place);
      const found = contentsOf(join(world.home, 'killed'));
      for (const [name, text] of whole)
        if (found.get(name) !== text) figures.violation(`${kindOf(name)} differs after a killed export`, place);
      for (const name of found.keys())
        if (!whole.has(name)) figures.violation(`${kindOf(name)} is left of a killed export`, place);
      rmSync(join(world.home, 'killed'), { recursive: true, force: true });
    }
  } finally {
    world.remove();
  }
}

const kindOf = (name: string): string => name.replace(/[\w-]{20,}/, '…');

/** The manifest knows times of this run. */
function contentsOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return new Map(
    names
      .filter((name) => !name.endsWith('.skein-export.json'))
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  );
}
