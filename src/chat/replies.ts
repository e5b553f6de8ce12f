import type { Part } from './read-part.ts';

/** The call that sent a message to a teammate. */
export interface Reply {
  readonly tool: string;
  readonly summary: string;
}

export interface Sent extends Reply {
  readonly to: string;
  readonly time: number;
}

/** Everyone on the team. */
const ALL = '*';

/** What the parts of a group sent to teammates; asking somebody to stop is no message. */
export function sentIn(parts: readonly Part[]): Sent[] {
  const sent: Sent[] = [];
  for (const { calls } of parts) {
    for (const { call, input, time } of calls) {
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

/** The last message to somebody, or to all, before a time. `earlier` are those of the groups before. */
export function replyFinder(
  earlier: readonly Sent[],
  own: readonly Sent[],
): (from: string, time: number) => Reply | null {
  return (from, time) => {
    for (const list of [own, earlier])
      for (let i = list.length - 1; i >= 0; i--) {
        const sent = list[i] as Sent;
        if ((sent.to === from || sent.to === ALL) && sent.time <= time) return sent;
      }
    return null;
  };
}
