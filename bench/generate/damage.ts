import type { Damage } from './plan.ts';
import type { Random } from './random.ts';

const HALF_WAY = 12;

/** What crashes, full disks and newer versions do to a file. Holds one line. */
export function* damageLines(lines: Iterable<string>, damage: readonly Damage[], random: Random): Generator<string> {
  let held: string | null = null;
  let count = 0;
  for (const line of lines) {
    if (held !== null) yield held;
    held = line;
    if (++count !== HALF_WAY) continue;
    if (damage.includes('broken')) yield `${line.slice(0, 60)}\n`;
    if (damage.includes('unknown'))
      yield `{"type":"frobnicate","uuid":"${random.uuid()}","parentUuid":null,"level":3}\n`;
  }
  if (held !== null) yield damage.includes('torn') ? held.slice(0, Math.ceil(held.length / 2)) : held;
}
