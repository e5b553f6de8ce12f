import type { Block, Finding } from '../../model/index.ts';
import type { Outline, OutlineNode, RowTool } from '../../outline/index.ts';
import { jsonLabel, type Label } from './json-label.ts';
import { isoTime, type Json } from './json-record.ts';
import { jsonText } from './json-text.ts';
import { endWithWarnings } from './json-warnings.ts';

/** The outline as a tree, written piece by piece: a session may be too long for one text. */
export function* jsonOutline(
  { sessionId, root, openBranches }: Outline,
  labels: ReadonlyMap<string, Label> = new Map(),
  warnings: () => readonly Finding[] = () => [],
): Generator<string> {
  yield `{"session_id":${jsonText(sessionId)},"open_branches":${jsonText(openBranches)},\n"root":`;
  yield* jsonNode(root, new Map(labels));
  yield endWithWarnings(warnings());
}

function* jsonNode(node: OutlineNode, labels: Map<string, Label>): Generator<string> {
  yield `${jsonText({ ...fieldsOf(node), ...labelOf(node, labels) }).slice(0, -1)},"children":[`;
  let before = '\n';
  for (const child of node.children) {
    yield before;
    yield* jsonNode(child, labels);
    before = ',\n';
  }
  yield ']}';
}

/** A record may be several nodes: the first has the label. */
function labelOf({ record }: OutlineNode, labels: Map<string, Label>): Json {
  const label = record === null ? undefined : labels.get(record);
  if (record !== null) labels.delete(record);
  return jsonLabel(label);
}

/** `text` says all that there is in these. */
const PLAIN: ReadonlySet<Block['type']> = new Set(['text', 'thinking', 'command', 'system', 'call']);

/** The blocks of which `text` says less than they do: also the prompt that a command stands for, and the summary of a compaction. */
function blocksOf({ type, text, blocks }: OutlineNode): Json {
  const hasReply = type === 'command' || type === 'compaction';
  const isReply = (block: Block): boolean => hasReply && block.type === 'text' && block.text.trim() !== text;
  const more = blocks.filter((block) => !PLAIN.has(block.type) || isReply(block));
  return more.length > 0 ? { blocks: more.map(({ at: _at, ...block }) => block) } : {};
}

/** What a tool reported beside its output, and instructions that the call brought into the conversation. */
function reportOf(tool: RowTool | undefined): Json {
  const detail = tool?.result?.block.detail;
  const body = (tool?.result?.body ?? []).flatMap((block) => ('text' in block ? [block.text] : []));
  return {
    ...(detail === undefined ? {} : { tool_use_result: detail }),
    ...(body.length > 0 ? { body: body.join('\n\n') } : {}),
  };
}

const fieldsOf = (node: OutlineNode): Json => ({
  id: node.id,
  type: node.type,
  level: node.level,
  ancestry: node.ancestry,
  record_uuid: node.record,
  timestamp: isoTime(node.time),
  text: node.text,
  ...blocksOf(node),
  ...(node.subagent === null ? {} : { agent_id: node.subagent }),
  ...(node.tool
    ? {
        name: node.tool.name,
        tool_use_id: node.tool.id,
        input: node.tool.call?.input ?? null,
        is_error: node.tool.isError,
        agents: node.tool.subagents,
      }
    : {}),
  ...(node.pair
    ? {
        pair: {
          id: node.pair.id,
          type: node.pair.type,
          text: node.pair.text,
          timestamp: isoTime(node.pair.time),
          duration_ms: node.pair.durationMs,
          ...reportOf(node.tool),
        },
      }
    : {}),
  ...(node.sameAs === undefined ? {} : { same_as: node.sameAs }),
  has_children: node.hasChildren,
  immediate_children_count: node.immediateCount,
  total_descendants_count: node.totalCount,
  immediate_children_by_type: node.immediateByType,
  total_descendants_by_type: node.totalByType,
});
