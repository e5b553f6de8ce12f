import type { Session } from '../history/index.ts';
import type { LogRecord } from '../model/index.ts';
import { buildOutline, type Outline, type OutlineNode, type OutlineOptions, type RowTool } from '../outline/index.ts';

/** The whole session with all branches and sub-agents, or only a part of it. */
export function outlineSession(session: Session, verbose: boolean, only?: OutlineOptions['only']): Outline {
  const content = (record: LogRecord) => session.content(record, { annotations: true });
  const outline = buildOutline(session.logs.read().tree, session.id, content, {
    verbose,
    title: session.title ?? session.conceal(session.id),
    ...(only && { only }),
    annotation: (annotation) => session.annotation(annotation),
  });
  return session.isRedacted ? concealIds(outline, (id) => session.conceal(id)) : outline;
}

/** Ids are made of the names of files. */
function concealIds({ sessionId, root, openBranches }: Outline, conceal: (id: string) => string): Outline {
  const orNull = (id: string | null): string | null => (id === null ? null : conceal(id));
  const concealTool = (tool: RowTool): RowTool => ({
    ...tool,
    name: tool.name.includes('__') ? conceal(tool.name) : tool.name,
    subagents: tool.subagents.map(conceal),
  });
  const concealNode = (node: OutlineNode): OutlineNode => ({
    ...node,
    id: conceal(node.id),
    // A sub-agent that no call is known of is called by its id, a tool by its name.
    text: node.type === 'subagent' || node.tool ? conceal(node.text) : node.text,
    ...(node.tool ? { tool: concealTool(node.tool) } : {}),
    aliases: node.aliases.map(conceal),
    record: orNull(node.record),
    subagent: orNull(node.subagent),
    ancestry: node.ancestry.map(conceal),
    ...(node.pair ? { pair: { ...node.pair, id: conceal(node.pair.id) } } : {}),
    ...(node.sameAs === undefined ? {} : { sameAs: conceal(node.sameAs) }),
    children: node.children.map(concealNode),
  });
  return { sessionId: conceal(sessionId), root: concealNode(root), openBranches: openBranches.map(conceal) };
}
