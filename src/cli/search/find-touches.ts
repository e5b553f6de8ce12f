import type { History, Session } from '../../history/index.ts';
import { touchedFiles } from '../../messages/index.ts';
import { acceptsPath, type Hit, RANKED, type Search } from '../../search/index.ts';

/** What one prompt led to with a file. */
export interface Touch {
  readonly session: Session['id'];
  readonly project: { readonly id: string; readonly path: string };
  readonly agent: string;
  /** Null when the log does not say what it was asked for. */
  readonly prompt: { readonly record: string; readonly text: string; readonly time: number | null } | null;
  /** The last call, and when. */
  readonly record: string;
  readonly time: number | null;
  readonly reads: number;
  readonly changes: number;
  readonly paths: readonly string[];
}

/** The calls that name a file, by the prompts they follow from; newest first. Of thousands of calls only the newest count. */
export async function findTouches(history: History, search: Search, path: string): Promise<Touch[]> {
  const { hits } = await search.search({
    clause: {
      as: 'and',
      of: [
        { as: 'filter', filter: { name: 'file', value: path } },
        { as: 'filter', filter: { name: 'type', value: 'tool_use' } },
      ],
    },
    limit: RANKED,
  });
  const touches = new Map<string, Touch>();
  for (const project of history.projects) {
    const own = hits.filter((hit) => hit.project.path === project.path);
    for (const hit of own) {
      const session = project.session(hit.session);
      if (session) addTouch(touches, session, hit, acceptsPath(path));
    }
    project.close();
  }
  return [...touches.values()].sort((a, b) => (b.time ?? 0) - (a.time ?? 0) || (a.record < b.record ? -1 : 1));
}

function addTouch(touches: Map<string, Touch>, session: Session, hit: Hit, isMeant: (path: string) => boolean): void {
  const record = session.record(hit.record);
  const call = record?.calls[Number(/_tool_(\d+)$/.exec(hit.uuid)?.[1])];
  if (!record || !call) return;
  const block = session.content(record).own.find((each) => each.type === 'call' && each.id === call.id);
  const input = block?.type === 'call' ? block.input : null;
  const files = touchedFiles(call.name, input, record.env.cwd).filter((file) => isMeant(file.path));
  const changes = files.some(({ isChanged }) => isChanged) ? 1 : 0;
  const prompt = session.promptAbove(record);
  const key = `${hit.project.path}\n${session.id}\n${prompt?.id ?? record.id}`;
  const known = touches.get(key);
  const isLater = !known || (hit.time ?? 0) >= (known.time ?? 0);
  touches.set(key, {
    session: session.id,
    project: hit.project,
    agent: hit.agent,
    prompt: known?.prompt ?? (prompt && { record: prompt.id, text: session.textOf(prompt.id), time: prompt.time }),
    record: isLater ? record.id : known.record,
    time: isLater ? hit.time : known.time,
    reads: (known?.reads ?? 0) + 1 - changes,
    changes: (known?.changes ?? 0) + changes,
    paths: [...new Set([...(known?.paths ?? []), ...files.map((file) => file.path)])],
  });
}
