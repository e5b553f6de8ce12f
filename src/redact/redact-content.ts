import type { Block, LogRecord, RecordContent } from '../model/index.ts';
import type { Redactor } from './redactor.ts';

/** Everything a record says, without what must not leave the machine. */
export function redactContent(redactor: Redactor, record: LogRecord, content: RecordContent): RecordContent {
  redactor.at(`${record.session}#${record.id}`);
  const clean = (blocks: readonly Block[]): readonly Block[] => redactBlocks(redactor, blocks);
  return {
    own: clean(content.own),
    replies: clean(content.replies),
    results: new Map(
      [...content.results].map(([id, { block, more, body, time }]) => [
        id,
        {
          block: redactBlock(redactor, block),
          more: more.map((each) => redactBlock(redactor, each)),
          body: clean(body),
          time,
        },
      ]),
    ),
    annotations: content.annotations.map(clean),
  };
}

export const redactBlocks = (redactor: Redactor, blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block) => redactBlock(redactor, block));

/** Of a block everything that somebody said. Its sort, its place and the id that joins a call to its result say nothing, and stay. */
function redactBlock<B extends Block>(redactor: Redactor, block: B): B {
  const { at, type, ...said } = block;
  if (block.type === 'image') return { ...block, ...(redactor.redactJson({ type, ...said }) as object), at };
  const kept =
    block.type === 'call'
      ? { id: block.id, name: isOfServer(block.name) ? redactor.redact(block.name) : block.name }
      : block.type === 'result'
        ? { of: block.of }
        : undefined;
  return { at, type, ...(redactor.redactJson(said) as object), ...kept } as B;
}

/** `mcp__anna-laptop__query`: only names of servers are made up by people. */
const isOfServer = (tool: string): boolean => tool.includes('__');

/** Names that a record tells of, before anything is written. */
export function learnFrom(redactor: Redactor, blocks: Iterable<Block>): void {
  const stack: unknown[] = [];
  for (const { at: _at, ...said } of blocks) stack.push(said);
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value === 'string') redactor.learn(value);
    else if (value !== null && typeof value === 'object')
      for (const [key, each] of Object.entries(value)) {
        stack.push(each ?? 0);
        if (!Array.isArray(value)) redactor.learn(key);
      }
  }
}
