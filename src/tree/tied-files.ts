import { type Env, type Fact, type FileFacts, type FileId, INLINE, type Line } from '../model/index.ts';
import { NameTable } from './name-table.ts';

/**
 * Which files of a project may have to do with each other, told from the names in their lines: of records, calls, sessions and sub-agents.
 * Files that no name ties are like different projects: a tree of each says what one tree of all says. So a project that is too large for
 * one tree can be read in several. Of a line nothing is held but a few bytes for each of its names.
 */
export class TiedFiles {
  readonly #files: FileId[] = [];
  readonly #numbers = new Map<FileId, number>();
  /** The file each is tied to, in the end the first of its island: itself. */
  readonly #above: number[] = [];
  readonly #names = new NameTable();
  /** Tokens that lead to a call, and those a sub-agent is recognised by: only where they meet they tie. */
  readonly #leading = new Map<string, number[]>();
  readonly #recognised: { readonly token: string; readonly file: number }[] = [];
  /** What the lines before said nearly always holds for the next. */
  #file = 0;
  #key: string | null = null;
  #env: Env | null = null;
  #subagent: string | null = null;
  #islandCount = 0;

  /** The lines that are added next are of this file. */
  enter({ id, role, native, session, tokens }: FileFacts): void {
    const known = this.#numbers.get(id);
    this.#file = known ?? this.#files.push(id) - 1;
    this.#key = null;
    this.#env = null;
    this.#subagent = null;
    if (known !== undefined) return;
    this.#numbers.set(id, this.#file);
    this.#above.push(this.#file);
    this.#islandCount++;
    this.#name(sessionName(role === 'session' ? native : (session ?? native)));
    if (role !== 'session') this.#enterSubagent(native);
    for (const token of tokens) this.#recognise(token);
  }

  add(line: Line): void {
    if (line.in === 'bookkeeping') this.#addFact(line.fact);
    if (line.in !== 'chain' && line.in !== 'queue') return;
    const { key, parent, subagent, place, calls, env, more } = line;
    if (parent !== null && parent !== this.#key) this.#name(parent);
    this.#name(key);
    this.#key = key;
    if (subagent !== null && subagent !== this.#subagent && subagent !== INLINE) this.#enterSubagent(subagent);
    if (place.as === 'result') for (const { call } of place.of) this.#name(call);
    for (const { id } of calls) this.#name(id);
    if (env !== this.#env && env.session !== null) this.#name(sessionName(env.session));
    this.#env = env;
    if (!more) return;
    if (more.copyOf !== undefined) this.#name(more.copyOf);
    for (const { call, token } of more.links ?? []) {
      this.#name(call);
      // A sub-agent without an id of its own is called as its first line.
      if (token.startsWith(AGENT)) this.#name(token.slice(AGENT.length));
      const files = this.#leading.get(token);
      if (!files) this.#leading.set(token, [this.#file]);
      else if (files.at(-1) !== this.#file) files.push(this.#file);
    }
    for (const token of more.tokens ?? []) this.#recognise(token);
    for (const fact of more.facts ?? []) this.#addFact(fact);
  }

  get islandCount(): number {
    this.#meet();
    return this.#islandCount;
  }

  /** Islands, in the order in which the first of each was entered. */
  islands(): FileId[][] {
    this.#meet();
    const islands = Map.groupBy(this.#files.keys(), (file) => this.#first(file));
    return [...islands.values()].map((files) => files.map((file) => this.#files[file] as FileId));
  }

  /** All that belong to the islands of some of them. */
  tiedTo(ids: readonly FileId[]): FileId[] {
    this.#meet();
    const islands = new Set(ids.flatMap((id) => this.#numbers.get(id) ?? []).map((file) => this.#first(file)));
    return this.#files.filter((_, file) => islands.has(this.#first(file)));
  }

  #addFact({ type, about, value }: Fact): void {
    if (about !== null) this.#name(about);
    const { id, tokens } = (value ?? {}) as { readonly id?: unknown; readonly tokens?: readonly string[] };
    if (type === 'session' && typeof id === 'string') this.#name(sessionName(id));
    if (type !== 'subagent' || typeof id !== 'string') return;
    this.#enterSubagent(id);
    for (const token of tokens ?? []) {
      if (token.startsWith(CALL)) this.#name(token.slice(CALL.length));
      else this.#recognise(token);
    }
  }

  #enterSubagent(id: string): void {
    this.#subagent = id;
    this.#name(agentName(id));
    this.#recognise(agentName(id));
  }

  #recognise(token: string): void {
    const last = this.#recognised.at(-1);
    if (last?.token !== token || last.file !== this.#file) this.#recognised.push({ token, file: this.#file });
  }

  #name(name: string): void {
    this.#tie(this.#names.claim(name, this.#file), this.#file);
  }

  #meet(): void {
    for (const { token, file } of this.#recognised)
      for (const other of this.#leading.get(token) ?? []) this.#tie(other, file);
  }

  #tie(a: number, b: number): void {
    if (a === b) return;
    const [first, second] = [this.#first(a), this.#first(b)];
    if (first === second) return;
    this.#above[Math.max(first, second)] = Math.min(first, second);
    this.#islandCount--;
  }

  #first(file: number): number {
    let first = file;
    while (this.#above[first] !== first) first = this.#above[first] as number;
    for (let at = file; at !== first; ) {
      const next = this.#above[at] as number;
      this.#above[at] = first;
      at = next;
    }
    return first;
  }
}

const CALL = 'call:';
const AGENT = 'agent:';
const sessionName = (id: string): string => `session:${id}`;
const agentName = (id: string): string => AGENT + id;
