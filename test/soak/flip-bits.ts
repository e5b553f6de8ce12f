import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../bench/generate/random.ts';
import { archivedContents } from './archived.ts';
import type { Figures } from './figures.ts';
import { type Answer, type Place, runSkein } from './run-skein.ts';
import { World } from './world.ts';

const DATABASES = ['archive.db', 'index.db', 'notes.db'] as const;
const SESSIONS = 14;
const GONE = 5;
/** So many of the questions are asked before anything is repaired, and after. */
const ASKED = { before: 3, after: 5 };

/** A data folder as it is after months, and what it answers. */
export interface Undamaged {
  readonly world: World;
  readonly questions: readonly (readonly string[])[];
  readonly answers: ReadonlyMap<string, string>;
  readonly contents: ReadonlyMap<string, readonly Buffer[]>;
  readonly labels: number;
  readonly forgotten: string;
}

/** Sessions that are gone from disk, one that was forgotten and is still there, labels, stars and settings. */
export async function prepare(seed: string): Promise<Undamaged> {
  const world = new World(seed);
  const ids = Array.from({ length: SESSIONS }, () => world.addSession(12));
  await world.skein('index');
  const [forgotten = '', live = '', gone = ''] = ids;
  for (const id of ids.slice(2, 2 + GONE)) world.delete(id);
  for (let i = 6; i < 10; i++)
    for (const n of [1, 4]) await world.skein('label', ids[i] as string, `u${n}-${ids[i]}`, `label ${i} ${n}`);
  await world.skein('settings', 'doubleEscapeAction', 'tree');
  await world.skein('forget', forgotten, '--yes');
  await world.skein('index', '--verify');
  const questions = [
    ['sessions', '--json'],
    ['show', live, '--as', 'json'],
    ['show', gone, '--as', 'json'],
    ['search', 'word3', '--json'],
    ['stats', '--json'],
    ['label', '--json'],
    ['settings', '--json'],
    ['status', '--json'],
    ['threads', gone, '--json'],
  ];
  const answers = new Map<string, string>();
  for (const args of questions) {
    const { out, err, code } = await world.skein(...args);
    if (code !== 0 || err !== '')
      throw new Error(`skein ${args.join(' ')} of undamaged data ends with ${code}: ${err}`);
    answers.set(args.join(' '), shown(args, out));
  }
  const labels = JSON.parse(answers.get('label --json') ?? '').total;
  return { world, questions, answers, contents: await archivedContents(world.data), labels, forgotten };
}

/** Flips bits of one database in a copy of the folder, and goes on working with it. */
export async function flip(undamaged: Undamaged, number: number, lane: number, figures: Figures): Promise<void> {
  const random = new Random(`flip ${number}`);
  const place: Place = { home: undamaged.world.home, data: join(undamaged.world.home, `lane-${lane}`) };
  undamaged.world.copyData(place.data);
  const database = DATABASES[number % DATABASES.length] as string;
  const where = `flip ${number}: ${flipBits(join(place.data, database), random)}`;
  const life = new Life(undamaged, place, database, where, figures);
  const questions = (count: number) => random.shuffle([...undamaged.questions]).slice(0, count);
  for (const args of questions(ASKED.before)) await life.ask(args, 'before');
  await life.repair(['index']);
  await life.repair(['index', '--verify']);
  for (const args of questions(ASKED.after)) await life.ask(args, 'after');
  await life.checkContents();
  figures.count(`flips of ${database}`);
  rmSync(place.data, { recursive: true, force: true });
}

/** Mostly one; the beginning, where everything is described, is hit more often than chance would. */
function flipBits(path: string, random: Random): string {
  const bytes = readFileSync(path);
  const count = random.chance(0.8) ? 1 : random.between(2, 50);
  const limit = random.chance(0.15) ? Math.min(8192, bytes.length) : bytes.length;
  const places = Array.from({ length: count }, () => random.below(limit));
  for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  writeFileSync(path, bytes);
  return `${count} bits of ${path.split('/').at(-1)}, the first at byte ${places[0]}`;
}

/** What somebody sees who works on with a damaged folder. */
class Life {
  readonly #undamaged: Undamaged;
  readonly #place: Place;
  readonly #database: string;
  readonly #where: string;
  readonly #figures: Figures;
  /** Somebody was told, with an exit code that says so. */
  #told = false;
  #toldOnlyInWords = false;
  #wrongBefore = false;

  constructor(undamaged: Undamaged, place: Place, database: string, where: string, figures: Figures) {
    this.#undamaged = undamaged;
    this.#place = place;
    this.#database = database;
    this.#where = where;
    this.#figures = figures;
  }

  /** The same answer as without damage, or a word about it. */
  async ask(args: readonly string[], when: 'before' | 'after'): Promise<void> {
    const answer = await this.#run(args);
    const isSame = answer.code === 0 && shown(args, answer.out) === this.#undamaged.answers.get(args.join(' '));
    this.#figures.count('answers compared');
    // A search brings the index up to date: it may be the one who meets the damage, and sets it aside.
    if (answer.code !== 0 && answer.err.includes('set aside')) this.#told = true;
    if (isSame || this.#isTold(answer)) return;
    if (when === 'before' && this.#database === 'index.db') {
      // What neither a frame nor a digest covers is found by `--verify`.
      this.#wrongBefore = true;
      this.#figures.count(`index.db: ${args[0]} answers otherwise until --verify, unsaid`);
      return;
    }
    if (this.#told && this.#database !== 'index.db') return;
    const words = this.#toldOnlyInWords ? ' (told before, with exit code 0)' : '';
    this.#violation(`${args[0]} answers otherwise ${when} index --verify, and nobody says why${words}`);
  }

  async repair(args: readonly string[]): Promise<void> {
    const answer = await this.#run(args);
    if (answer.code !== 0) this.#told = true;
    else if (answer.err !== '') this.#toldOnlyInWords = true;
    const isVerify = args.includes('--verify');
    if (isVerify && this.#wrongBefore && !this.#told && !this.#toldOnlyInWords)
      this.#figures.count('index.db: rebuilt, or found whole, without a word');
  }

  /** One flipped bit is no reason to lose what it does not touch, and never to bring back what was forgotten. */
  async checkContents(): Promise<void> {
    const { contents, forgotten } = this.#undamaged;
    const left = await archivedContents(this.#place.data).catch(() => null);
    if (left === null) return this.#violation('the archive cannot be read after index --verify');
    const lost = [...contents].filter(
      ([path, all]) => !all.every((bytes) => left.get(path)?.some((each) => each.equals(bytes))),
    );
    this.#figures.count('contents compared', contents.size);
    if (lost.length > 0) this.#figures.count(`${this.#database}: archived files lost`, lost.length);
    if (lost.length > 0 && !this.#told) this.#violation('archived files are lost, and no exit code says so');
    if (lost.length > contents.size / 2) this.#violation('more than half of the archived files are lost');
    if ([...left.keys()].some((path) => path.includes(forgotten)))
      this.#violation('what was forgotten is archived again');
    if (!existsSync(join(this.#place.data, 'notes.db'))) this.#violation('notes.db is gone');
  }

  async #run(args: readonly string[]): Promise<Answer> {
    const answer = await runSkein(this.#place, args);
    const said = /unexpected error: (\w+)/.exec(answer.err);
    if (said) this.#violation(`${args.join(' ').replace(/[\w-]{20,}/, 'ID')} ends with an unexpected ${said[1]}`);
    if (answer.code === null) this.#violation(`${args[0]} does not end`);
    return answer;
  }

  #isTold = ({ code, err }: Answer): boolean => code !== 0 || err !== '';

  #violation(what: string): void {
    this.#figures.violation(`${this.#database}: ${what}`, this.#where);
  }
}

/** Sizes and times of the databases themselves are no answer. */
function shown([command]: readonly string[], out: string): string {
  if (command !== 'status') return out;
  try {
    const { archive, notes, findings } = JSON.parse(out);
    const { files, bytes, gone, older_generations } = archive;
    return JSON.stringify([files, bytes, gone, older_generations, notes.labels, notes.settings, findings]);
  } catch {
    return out;
  }
}
