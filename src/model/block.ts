import type { CallId, LineRef } from './ids.ts';

/** Content of one line, read when a view needs it. */
export type Block = { readonly at: LineRef } & (
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** Text the agent put into a prompt, not typed by the human. */
  | { readonly type: 'injected'; readonly name: string; readonly text: string }
  | { readonly type: 'command'; readonly name: string; readonly args: string }
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'call'; readonly id: CallId; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'result';
      readonly of: CallId;
      readonly output: unknown;
      readonly detail?: unknown;
      readonly isError: boolean;
    }
  | { readonly type: 'image'; readonly media: string; readonly data: string }
  | { readonly type: 'unknown'; readonly name: string; readonly json: unknown }
);
