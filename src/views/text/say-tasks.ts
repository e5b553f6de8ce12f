import { contentText } from './content-text.ts';
import { type Fields, fieldsOf, idOf, listOf, textOf } from './json-values.ts';
import { countOf, linesOf, shortValue, withBody } from './shorten.ts';

/** `2 todos (1 completed, 1 in_progress)`, verbose with one line each. */
export function sayList(noun: 'todo' | 'task', items: readonly unknown[], verbose: boolean): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(statusOf(item), (counts.get(statusOf(item)) ?? 0) + 1);
  const sums = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  const head = `${countOf(items.length, noun)}${sums === '' ? '' : ` (${sums})`}`;
  return withBody(head, items.map(sayItem).join('\n'), verbose);
}

const statusOf = (item: unknown): string => shortValue(textOf(fieldsOf(item)?.status) ?? 'unknown');

function sayItem(item: unknown): string {
  const fields = fieldsOf(item);
  const text = textOf(fields?.content) ?? textOf(fields?.subject) ?? textOf(fields?.description) ?? '';
  return `[${statusOf(item)}] ${linesOf(text).join(' ')}`.trimEnd();
}

/** `Task 3: Write the tests: pending` */
export function sayTask(task: Fields, verbose: boolean): string {
  const title = textOf(task.subject) ?? textOf(task.description);
  const said = [title, textOf(task.status)].flatMap((text) => (text === null ? [] : [`: ${shortValue(text)}`]));
  return withBody(
    nameOf(task.id ?? task.task_id) + said.join(''),
    textOf(task.output) ?? textOf(task.result) ?? (textOf(task.subject) && task.description),
    verbose,
  );
}

/** `Task 3: in_progress → completed`, `Task 7 updated (description)` */
export function sayTaskUpdate({ taskId, statusChange, updatedFields, error }: Fields): string {
  const task = nameOf(taskId);
  if (textOf(error) !== null) return `${task}: ${shortValue(error)}`;
  const change = fieldsOf(statusChange);
  if (change) return `${task}: ${shortValue(change.from)} → ${shortValue(change.to)}`;
  const fields = listOf(updatedFields).map(shortValue).join(', ');
  return fields === '' ? `${task} unchanged` : `${task} updated (${fields})`;
}

const nameOf = (id: unknown): string => ['Task', shortValue(idOf(id) ?? '')].join(' ').trimEnd();

/** A sub-agent that is done says so, verbose what it answered; another one its state: `async_launched · Explore · agent a1b2`. */
export function sayAgent(agent: Fields, verbose: boolean): string {
  const answer = linesOf(contentText(agent.content)).join('\n');
  const status = textOf(agent.status);
  if (verbose && answer !== '') return answer;
  if (!verbose && (status === null || status === 'completed')) return 'Done';
  const id = idOf(agent.agentId) ?? idOf(agent.agent_id);
  const task = idOf(agent.taskId);
  const parts = [status, textOf(agent.agentType), id && `agent ${id}`, task && `task ${task}`];
  return parts.flatMap((part) => (part ? [shortValue(part)] : [])).join(' · ');
}
