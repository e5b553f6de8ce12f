import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Random } from '../../bench/generate/random.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';
import { type Answer, type Place, runSkein } from './run-skein.ts';

/** The home of somebody who uses agents, small, so that a command takes no longer than it takes to start. */
export class World implements Place {
  readonly home = mkdtempSync(join(tmpdir(), 'skein-soak-'));
  readonly data: string = join(this.home, 'data');
  readonly projects: string = join(this.home, '.claude/projects');
  readonly #random: Random;
  #made = 0;

  constructor(seed: string) {
    this.#random = new Random(seed);
    mkdirSync(this.projects, { recursive: true });
  }

  skein(...args: readonly string[]): Promise<Answer> {
    return runSkein(this, args);
  }

  /** One more session; gives its id. */
  addSession(turns = 6): string {
    const id = this.#random.uuid();
    this.write(`-home-ada-${this.#made++ % 3}/${id}.jsonl`, this.#lines(id, 0, turns));
    return id;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.projects, path)), { recursive: true });
    writeFileSync(join(this.projects, path), text);
  }

  /** Of a session, and all that lies in its folder. */
  delete(id: string): void {
    for (const path of this.paths().filter((each) => each.includes(id))) rmSync(join(this.projects, path));
  }

  /** Below `projects`, with `/`. */
  paths(): string[] {
    return readdirSync(this.projects, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.jsonl'))
      .sort();
  }

  read = (path: string): Buffer => readFileSync(join(this.projects, path));

  /** What agents and people do: files grow, are rewritten, replaced by shorter ones, deleted, and new ones come. */
  change(): void {
    const path = this.#random.pick(this.paths());
    const share = this.#random.next();
    if (path === undefined || share < 0.25) this.addSession(this.#random.between(1, 40));
    else if (share < 0.75)
      appendFileSync(join(this.projects, path), this.#lines(path, 1000 * ++this.#made, this.#random.between(1, 30)));
    else if (share < 0.9) this.write(path, this.#lines(path, 1000 * ++this.#made, this.#random.between(1, 6)));
    else if (this.paths().length > 6) rmSync(join(this.projects, path));
  }

  copyData(to: string): void {
    rmSync(to, { recursive: true, force: true });
    cpSync(this.data, to, { recursive: true });
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Prompts, answers with calls, their results: words that are found, and some that cannot be compressed. */
  #lines(session: string, from: number, turns: number): string {
    const lines = Array.from({ length: turns }, (_, i) => {
      const n = from + i;
      const [prompt, answer, result] = [`u${n}`, `a${n}`, `r${n}`].map((name) => `${name}-${session}`) as [
        string,
        string,
        string,
      ];
      const more = { cwd: `/home/ada/${session.length % 3}`, sessionId: session };
      return [
        user(prompt, n === 0 ? null : `r${n - 1}-${session}`, `word${n} and more of it ${this.#random.hex(40)}`, more),
        assistant(
          answer,
          prompt,
          [toolUse(`t${n}-${session}`, 'Bash', { command: `echo ${this.#random.hex(200)}` })],
          more,
        ),
        user(result, answer, [toolResult(`t${n}-${session}`, this.#random.base64(600))], more),
      ];
    });
    return lines
      .flat()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  }
}
