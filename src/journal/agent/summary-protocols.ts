/** How one family of endpoints is asked for a text, and answers. */
export interface SummaryProtocol {
  /** Below the endpoint. */
  readonly path: string;
  headers(apiKey: string | undefined): Record<string, string>;
  body(model: string, system: string, prompt: string): Record<string, unknown>;
  read(answer: Answer): { readonly text: string; readonly isCutOff: boolean };
}

/** JSON from outside: anything may be missing. */
// biome-ignore lint/suspicious/noExplicitAny: it is looked at with `?.` only, and what comes out is checked.
export type Answer = any;

const openai: SummaryProtocol = {
  path: '/chat/completions',
  headers: (apiKey): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  body: (model, system, prompt) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
  }),
  read(answer) {
    const choice = answer?.choices?.[0];
    return { text: textIn(choice?.message?.content), isCutOff: choice?.finish_reason === 'length' };
  },
};

const anthropic: SummaryProtocol = {
  path: '/v1/messages',
  headers: (apiKey) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  }),
  // The limit must be named here; elsewhere it is the model's own.
  body: (model, system, prompt) => ({
    model,
    max_tokens: 4096,
    system,
    messages: [{ role: 'user', content: prompt }],
  }),
  read: (answer) => ({ text: textIn(answer?.content), isCutOff: answer?.stop_reason === 'max_tokens' }),
};

export const protocols = { openai, anthropic } as const satisfies Record<string, SummaryProtocol>;

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (typeof block?.text === 'string' ? block.text : '')).join('');
}
