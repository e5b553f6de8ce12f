import type { Json } from './transcript.ts';

/**
 * What the official SDK's `forkSession` writes: the chain under new ids and without progress lines and sub-agents, each line with the
 * place it was copied from, the last one with the time of the fork.
 */
export function sdkFork(lines: readonly Json[], session: string, at = '2026-03-01T00:00:00.000Z'): Json[] {
  const chain = lines.filter(({ uuid, isSidechain }) => typeof uuid === 'string' && isSidechain !== true);
  const byId = new Map(chain.map((line) => [line.uuid, line]));
  const newId = (old: unknown): unknown => (byId.has(old) ? `${session}:${old}` : old);
  const above = (line: Json): unknown => {
    let parent = byId.get(line.parentUuid);
    while (parent?.type === 'progress') parent = byId.get(parent.parentUuid);
    return parent ? newId(parent.uuid) : null;
  };
  const kept = chain.filter(({ type }) => type !== 'progress');
  return kept.map((line, i) => {
    const { slug: _, teamName: __, agentName: ___, sourceToolAssistantUUID: ____, ...rest } = line;
    return {
      ...rest,
      uuid: newId(line.uuid),
      parentUuid: above(line),
      ...(line.logicalParentUuid ? { logicalParentUuid: newId(line.logicalParentUuid) } : {}),
      ...(i === kept.length - 1 ? { timestamp: at } : {}),
      sessionId: session,
      isSidechain: false,
      forkedFrom: { sessionId: line.sessionId, messageUuid: line.uuid },
    };
  });
}
