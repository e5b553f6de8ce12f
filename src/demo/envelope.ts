type Json = Readonly<Record<string, unknown>>;

/** Writes lines one after another: each is the child of the one before, and some seconds later. */
export class Script {
  readonly lines: Json[] = [];
  #last: string | null = null;
  #time = Date.UTC(2026, 9, 12, 9, 30);
  readonly #session: string;
  readonly #agent: string | null;

  constructor(session: string, agent: string | null = null, startAfterMinutes = 0) {
    this.#session = session;
    this.#agent = agent;
    this.#time += startAfterMinutes * 60_000;
  }

  wait(seconds: number): this {
    this.#time += seconds * 1000;
    return this;
  }

  /** The next line is a child of this one: what a rewind does. */
  goTo(uuid: string): this {
    this.#last = uuid;
    return this;
  }

  raw(line: Json): this {
    this.lines.push(line);
    return this;
  }

  chain(type: string, uuid: string, fields: Json): this {
    const envelope = {
      parentUuid: this.#last,
      isSidechain: this.#agent !== null,
      userType: 'external',
      cwd: '/home/ada/clock',
      sessionId: this.#session,
      version: '2.1.114',
      gitBranch: 'main',
      ...(this.#agent === null ? {} : { agentId: this.#agent }),
    };
    this.lines.push({ ...envelope, type, ...fields, uuid, timestamp: this.#now() });
    this.#last = uuid;
    return this;
  }

  user(uuid: string, content: unknown, fields: Json = {}): this {
    return this.wait(20).chain('user', uuid, { message: { role: 'user', content }, ...fields });
  }

  /** One line per block, as the agent writes them while the answer streams. */
  answer(id: string, ...blocks: readonly Json[]): this {
    const output = 40 + JSON.stringify(blocks).length / 4;
    blocks.forEach((block, i) => {
      const isLast = i === blocks.length - 1;
      const usage = {
        input_tokens: 6,
        cache_creation_input_tokens: 1200,
        cache_read_input_tokens: 14_000 + this.lines.length * 350,
        output_tokens: isLast ? Math.round(output) : 3,
        service_tier: 'standard',
      };
      const stop_reason = isLast ? (block.type === 'tool_use' ? 'tool_use' : 'end_turn') : null;
      const message = {
        id: `msg_demo_${id}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-4-5',
        content: [block],
        stop_reason,
        usage,
      };
      this.wait(4).chain('assistant', i === 0 ? id : `${id}-${i}`, { message, requestId: `req_demo_${id}` });
    });
    return this;
  }

  result(uuid: string, call: string, content: unknown, toolUseResult: unknown, isError = false): this {
    const block = { tool_use_id: call, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) };
    return this.wait(2).chain('user', uuid, { message: { role: 'user', content: [block] }, toolUseResult });
  }

  #now(): string {
    return new Date(this.#time).toISOString();
  }

  get time(): string {
    return this.#now();
  }
}

export const text = (value: string): Json => ({ type: 'text', text: value });
export const thinking = (value: string): Json => ({ type: 'thinking', thinking: value, signature: 'demo' });
export const call = (id: string, name: string, input: Json): Json => ({
  type: 'tool_use',
  id: `toolu_demo_${id}`,
  name,
  input,
});
