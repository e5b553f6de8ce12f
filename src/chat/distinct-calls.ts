import type { Part, RawCall, RawStep } from './read-part.ts';

/** What a group needs of a part. */
export type GroupPart = Pick<Part, 'record' | 'content' | 'steps' | 'calls'>;

/** Some models use the ids of calls again with every answer: in a group each but the first gets a name of its own. */
export function distinctCalls(parts: readonly Part[]): readonly GroupPart[] {
  const ids = parts.map(({ record }) => new Set(record.calls.map((call) => call.id)));
  const taken = new Set(ids.flatMap((each) => [...each]));
  const times = new Map<string, number>();
  return parts.map((part, i) => {
    const names = new Map<string, string>();
    for (const id of ids[i] ?? []) {
      let nth = (times.get(id) ?? 0) + 1;
      while (nth > 1 && taken.has(`${id}#${nth}`)) nth++;
      times.set(id, nth);
      if (nth > 1) names.set(id, `${id}#${nth}`);
    }
    return names.size > 0 ? renamed(part, names) : part;
  });
}

function renamed(part: Part, names: ReadonlyMap<string, string>): GroupPart {
  return {
    record: part.record,
    get content() {
      return part.content;
    },
    get calls(): RawCall[] {
      return part.calls.map((call) => ({ ...call, id: names.get(call.id) ?? call.id }));
    },
    get steps(): RawStep[] {
      return part.steps.map((step) => {
        const { toolCallId: id = '' } = step.content;
        return { ...step, id: names.get(id) ? step.id.replace(id, () => names.get(id) as string) : step.id };
      });
    },
  };
}
