import { fileSizes } from './file-sizes.ts';
import { Random } from './random.ts';
import { anyWord } from './words.ts';

/** What a corpus is made of, before a line is written: a few hundred bytes per file. */

export interface SessionPlan {
  /** Name of the project folder. */
  readonly project: string;
  readonly cwd: string;
  readonly id: string;
  readonly seed: string;
  readonly bytes: number;
  readonly version: string;
  /** When it begins, epoch milliseconds. */
  readonly start: number;
  readonly agents: AgentPlan[];
  /** Everything that can happen happens in it. */
  readonly showcase: boolean;
  readonly damage: readonly Damage[];
  /**
   * Opened again by an old version: the same session once more under a new id up to `after` bytes, then lines of its own up to `bytes`.
   * Everything else of the plan is that of the first session, so that the same lines come out.
   */
  readonly resumed: { readonly after: number; readonly bytes: number; readonly seed: string } | null;
}

export interface AgentPlan {
  readonly id: string;
  readonly seed: string;
  readonly bytes: number;
  /** In the folder of the session with a sidecar (2.1), or beside the sessions (2.0). */
  readonly layout: 'folder' | 'beside';
}

export type Damage = 'torn' | 'broken' | 'unknown';

type Role = 'session' | 'agent' | 'old agent' | 'copy';
/** From the largest file down, again and again: so every kind has its share of the bytes in a corpus of any size. */
const ROLES: readonly Role[] = [
  ...(['session', 'session', 'copy', 'agent', 'session', 'old agent', 'agent', 'session'] as const),
  ...(['agent', 'session', 'agent', 'session', 'session', 'agent', 'session', 'agent'] as const),
];
const DAMAGES: readonly Damage[] = ['torn', 'broken', 'unknown'];
/** With progress lines in the chain; with attachments instead. */
const VERSIONS = ['2.1.17', '2.1.114', '2.1.114', '2.1.145'];
const FIRST_DAY = Date.UTC(2025, 8, 1);

/** `files`: so many instead of as many as the profile has. */
export function planCorpus(bytes: number, seed: string, files?: number): SessionPlan[] {
  const random = new Random(`${seed}/plan`);
  const sizes = fileSizes(bytes, files);
  const projects = Math.ceil(Math.sqrt(sizes.length) * 0.8);
  const sessions: SessionPlan[] = [];
  const copies: SessionPlan[] = [];
  sizes.forEach((size, i) => {
    const role = ROLES[i % ROLES.length] as Role;
    const own = `${seed}/${i}`;
    if (role === 'session') sessions.push(planSession(random, own, size, projects, i === 0));
    else if (role === 'copy') copies.push(planCopy(random, sessions.at(-1) as SessionPlan, size, own));
    else {
      const beside = role === 'old agent';
      const id = beside ? random.hex(8) : `a${random.hex(16)}`;
      hostFor(random, sessions).agents.push({ id, seed: own, bytes: size, layout: beside ? 'beside' : 'folder' });
    }
  });
  return random.shuffle([...sessions, ...copies]);
}

/** A sub-agent is no larger than the session that started it: those come first. The first session has one of each kind. */
const hostFor = (random: Random, sessions: readonly SessionPlan[]): SessionPlan =>
  sessions.length < 5 ? (sessions[0] as SessionPlan) : random.pick(sessions);

function planSession(random: Random, seed: string, bytes: number, projects: number, showcase: boolean): SessionPlan {
  // A few projects hold most of the work.
  const project = Math.floor(projects * random.next() ** 2);
  const name = `${anyWord(new Random(`project ${project}`))}-${project}`.replace(/[^A-Za-z0-9-]/g, '-');
  const damage = showcase ? DAMAGES : DAMAGES.filter(() => random.chance(0.02));
  return {
    project: `-home-user-${name}`,
    cwd: `/home/user/${name}`,
    id: random.uuid(),
    seed,
    bytes,
    version: random.pick(VERSIONS),
    start: FIRST_DAY + random.below(300 * 86_400_000),
    agents: [],
    showcase,
    damage,
    resumed: null,
  };
}

function planCopy(random: Random, of: SessionPlan, bytes: number, seed: string): SessionPlan {
  const after = Math.round(Math.min(of.bytes * 0.8, bytes * 0.7));
  return { ...of, id: random.uuid(), damage: [], resumed: { after, bytes, seed } };
}
