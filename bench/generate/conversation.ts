import { WorkFiles } from './files.ts';
import { Random } from './random.ts';

export type Json = Readonly<Record<string, unknown>>;

/** How much a line holds beside what it is for. */
export interface Style {
  /** Factor on the length of what is said. */
  readonly scale: number;
  /** Only what the earliest versions wrote around a message. */
  readonly lean: boolean;
}

interface ConversationOptions extends Style {
  readonly seed: string;
  readonly session: string;
  readonly cwd: string;
  readonly version: string;
  readonly start: number;
  /** Ends when so much is written. */
  readonly bytes: number;
  readonly agent?: string;
}

/** One transcript while it is written: who spoke last, what time it is, how much is left. Every method that writes returns one line. */
export class Conversation {
  random: Random;
  readonly scale: number;
  readonly lean: boolean;
  readonly session: string;
  readonly version: string;
  readonly cwd: string;
  readonly isAgent: boolean;
  readonly files = new WorkFiles(this);
  limit: number;
  bytes = 0;
  clock: number;
  /** The line the next one hangs on. */
  leaf: string | null = null;
  /** Where the last prompt hangs: a rewind goes back to it. */
  beforePrompt: string | null = null;
  readonly #agent: Json;
  readonly #tail: Json;

  constructor(options: ConversationOptions) {
    this.random = new Random(options.seed);
    this.scale = options.scale;
    this.lean = options.lean;
    this.session = options.session;
    this.version = options.version;
    this.cwd = options.cwd;
    this.limit = options.bytes;
    this.clock = options.start;
    this.isAgent = options.agent !== undefined;
    this.#agent = options.agent === undefined ? {} : { agentId: options.agent };
    const { cwd, session, version, lean } = options;
    const more = lean ? {} : { userType: 'external', entrypoint: 'cli', gitBranch: 'main' };
    this.#tail = { cwd, sessionId: session, version, ...more };
  }

  get isFull(): boolean {
    return this.bytes >= this.limit;
  }

  get now(): string {
    return new Date(this.clock).toISOString();
  }

  /** A length for a text: around the median, scaled, and never much more than what is left. */
  size(median: number, spread = 1): number {
    const wanted = this.random.around(median * this.scale, spread);
    return Math.round(Math.max(2, Math.min(wanted, this.room, 700_000)));
  }

  /** No text is longer. */
  get room(): number {
    return Math.max(120, (this.limit - this.bytes) / 4);
  }

  /** A line of the chain: the next one hangs on it. */
  chain(fields: Json, parent = this.leaf): string {
    this.clock += this.random.between(3, 9000);
    const uuid = this.random.uuid();
    this.leaf = uuid;
    return this.raw({
      parentUuid: parent,
      isSidechain: this.isAgent,
      ...this.#agent,
      ...fields,
      uuid,
      timestamp: this.now,
      ...this.#tail,
    });
  }

  /** A line outside the chain. */
  aside(fields: Json): string {
    return this.raw({ ...fields, sessionId: this.session });
  }

  raw(line: Json): string {
    const text = `${JSON.stringify(line)}\n`;
    this.bytes += Buffer.byteLength(text);
    return text;
  }
}
