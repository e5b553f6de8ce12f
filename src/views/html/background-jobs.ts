import type { OutlineNode, RowTool } from '../../outline/index.ts';
import { fields, text } from './tools/view.ts';

/** `Command running in background with ID: dce0af`, `Monitor started (task b07h5t4ng, …`, `Scheduled recurring job 337e67de (…` */
const STARTED = /^(?:Command running in background with ID: |Monitor started \(task |Scheduled [\w-]+ job )([\w-]+)/;

/** What calls started in the background, and who asked for it later: by the names the agent gave. */
export class BackgroundJobs {
  readonly #starts = new Map<string, string>();

  /** The node that started what this one asks for; null when it asks for nothing that is known. Nodes come in their order. */
  startOf(node: OutlineNode): string | null {
    if (!node.tool) return null;
    const asked = askedFor(node.tool);
    const start = asked === '' ? null : (this.#starts.get(asked) ?? null);
    for (const name of startedBy(node.tool)) if (!this.#starts.has(name)) this.#starts.set(name, node.id);
    return start;
  }
}

function askedFor({ name, call }: RowTool): string {
  const input = fields(call?.input);
  if (name === 'CronDelete') return text(input.id);
  return text(input.bash_id) || text(input.shell_id) || text(input.task_id) || text(input.agentId);
}

function startedBy({ result }: RowTool): string[] {
  const { backgroundTaskId, taskId, agentId, isAsync } = fields(result?.block.detail);
  const output = text(result?.block.output);
  const named = [text(backgroundTaskId), STARTED.exec(output)?.[1] ?? ''];
  return [...named, ...(isAsync === true ? [text(taskId), text(agentId)] : [])].filter((id) => id !== '');
}
