import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** What was asked, whichever protocol it came in. */
export interface Asked {
  readonly protocol: 'openai' | 'anthropic';
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly body: Record<string, unknown>;
}

/** Answers a request as it likes. */
export type Reply = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

export const KEY = 'sk-very-secret-0123456789';

/** A model behind real HTTP: `/v1/chat/completions` as OpenAI has it, `/v1/messages` as Anthropic has it. */
export class ModelServer {
  readonly asked: Asked[] = [];
  /** What it says, unless `reply` does something else. */
  says: (asked: Asked) => string = () => 'A summary.';
  reply: Reply | null = null;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    afterAll(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
  }

  static async start(): Promise<ModelServer> {
    const server = new ModelServer();
    await new Promise<void>((ready) => server.#server.listen(0, '127.0.0.1', ready));
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const body = JSON.parse(text);
    const isAnthropic = request.url === '/v1/messages';
    const wrong = isAnthropic ? faultOfAnthropic(request, body) : faultOfOpenai(request, body);
    if (wrong) return send(response, 400, { error: { message: wrong } });
    const user = body.messages.at(-1);
    const system = isAnthropic ? body.system : body.messages[0].content;
    const protocol = isAnthropic ? 'anthropic' : 'openai';
    const asked = { protocol, model: body.model, system, prompt: user.content, body } as const;
    this.asked.push(asked);
    if (this.reply) return this.reply(asked, response, request);
    send(response, 200, (isAnthropic ? anthropicText : openaiText)(this.says(asked)));
  }
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const openaiText = (content: unknown, finish = 'stop') => ({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
});

export const anthropicText = (text: string, stop = 'end_turn') => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
  stop_reason: stop,
});

function faultOfOpenai({ method, url, headers }: IncomingMessage, body: Record<string, unknown>): string | null {
  if (method !== 'POST' || url !== '/v1/chat/completions') return `no such address: ${method} ${url}`;
  if (headers.authorization !== `Bearer ${KEY}`) return `Incorrect API key provided: ${headers.authorization}`;
  return Array.isArray(body.messages) && typeof body.model === 'string' ? null : 'messages and model are required';
}

function faultOfAnthropic({ method, headers }: IncomingMessage, body: Record<string, unknown>): string | null {
  if (method !== 'POST') return 'method not allowed';
  if (headers['x-api-key'] !== KEY) return `invalid x-api-key ${headers['x-api-key']}`;
  if (headers['anthropic-version'] !== '2023-06-01') return 'anthropic-version: header is required';
  return typeof body.max_tokens === 'number' ? null : 'max_tokens: field required';
}
