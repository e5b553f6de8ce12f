import { callTools, finalAnswer, newResponse } from './answer.ts';
import { Conversation } from './conversation.ts';
import { humanPrompt } from './prompt.ts';
import { anyToolUse } from './tools.ts';

/** Files that are rare and must not take longer than their size says. */

/** Lines are short, so that their number counts and not their size; a scale of 1 gives lines as in real logs. */
const SHORT = 0.02;

const begin = (seed: string, scale = SHORT): Conversation =>
  new Conversation({
    seed,
    session: 'e0000000-0000-4000-8000-000000000000',
    cwd: '/home/user/extreme',
    version: '2.1.114',
    start: Date.UTC(2026, 0, 1),
    bytes: Number.MAX_SAFE_INTEGER,
    scale,
    lean: true,
  });

/** One prompt, then an answer with one tool call, again and again. */
export function* longTurn(calls: number, scale = SHORT): Generator<string> {
  const talk = begin('long turn', scale);
  yield humanPrompt(talk);
  for (let i = 0; i < calls; i++) yield* callTools(talk, newResponse(talk), [anyToolUse(talk)]);
  yield* finalAnswer(talk);
}

/** So many prompts, each answered after so many answers with one tool call. */
export function* manyTurns(turns: number, calls: number, scale = SHORT): Generator<string> {
  const talk = begin('many turns', scale);
  for (let turn = 0; turn < turns; turn++) {
    yield humanPrompt(talk);
    for (let i = 0; i < calls; i++) yield* callTools(talk, newResponse(talk), [anyToolUse(talk)]);
    yield* finalAnswer(talk);
  }
}

/** One answer that calls all its tools at once; the results come in any order. */
export function* wideAnswer(calls: number): Generator<string> {
  const talk = begin('wide answer');
  yield humanPrompt(talk);
  const uses = Array.from({ length: calls }, () => anyToolUse(talk));
  yield* callTools(talk, newResponse(talk), uses);
  yield* finalAnswer(talk);
}

/** Prompt, answer, prompt, answer: so many records. */
export function* longSession(records: number): Generator<string> {
  const talk = begin('long session');
  for (let i = 0; i < records / 2; i++) {
    yield humanPrompt(talk);
    yield* finalAnswer(talk);
  }
}

const MARK = 'here';
const PIECE = JSON.stringify('a "quoted" line\n'.repeat(1 << 14)).slice(1, -1);

/** A prompt, a tool result that is one line of so many bytes, and an answer to it; the long line comes in pieces. */
export function* longLine(bytes: number): Generator<string> {
  const talk = begin('long line');
  yield humanPrompt(talk);
  const result = { tool_use_id: 'toolu_1', type: 'tool_result', content: MARK };
  const line = talk.chain({ type: 'user', message: { role: 'user', content: [result] } });
  const at = line.indexOf(MARK);
  yield line.slice(0, at);
  for (let written = 0; written < bytes; written += PIECE.length) yield PIECE;
  yield line.slice(at + MARK.length);
  yield* finalAnswer(talk);
}
