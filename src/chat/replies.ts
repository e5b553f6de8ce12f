import type { Part } from './read-part.ts';

/** The call that sent a message to a teammate. */
export interface Sent {
  readonly to: string;
  readonly tool: string;
  readonly summary: string;
  readonly time: number;
}

/** A message of a teammate; `id` names its block. */
export interface Heard {
  readonly id: string;
  readonly from: string;
  readonly time: number;
}

/** Everyone on the team. */
const ALL = '*';

/** What the parts of a group sent to teammates; asking somebody to stop is no message. */
export function sentIn(parts: readonly Part[]): Sent[] {
  const sent: Sent[] = [];
  for (const part of parts) {
    if (!part.record.calls.some(({ name }) => name === 'SendMessage')) continue;
    for (const { call, input, time } of part.calls) {
      if (call.name !== 'SendMessage') continue;
      const { type, recipient, to, summary } = (input ?? {}) as Record<string, unknown>;
      if (typeof type === 'string' && type !== 'message' && type !== 'broadcast') continue;
      const receiver = type === 'broadcast' ? ALL : (recipient ?? to);
      if (typeof receiver !== 'string') continue;
      sent.push({
        to: receiver,
        tool: call.id,
        summary: typeof summary === 'string' ? summary : 'message',
        time: time ?? 0,
      });
    }
  }
  return sent;
}

export function heardIn(parts: readonly Part[], start: number): Heard[] {
  const heard: Heard[] = [];
  let clock = start;
  for (const part of parts) {
    const { record } = part;
    clock = record.time ?? clock;
    if (record.kind !== 'teammate') continue;
    part.content.own.forEach((block, i) => {
      if (block.type === 'teammate') heard.push({ id: `${record.id}:${i}`, from: block.from, time: clock });
    });
  }
  return heard;
}

const NO_REPLIES: ReadonlyMap<string, Sent | null> = new Map();

/** For each message the last one sent to its author, or to all, before it. `earlier` are those of the groups before. */
export const findReplies = (
  heard: readonly Heard[],
  earlier: readonly Sent[],
  own: readonly Sent[],
): ReadonlyMap<string, Sent | null> =>
  heard.length === 0
    ? NO_REPLIES
    : new Map(heard.map((message) => [message.id, lastTo(message, own) ?? lastTo(message, earlier)]));

const lastTo = ({ from, time }: Heard, list: readonly Sent[]): Sent | null =>
  list.findLast((sent) => (sent.to === from || sent.to === ALL) && sent.time <= time) ?? null;
