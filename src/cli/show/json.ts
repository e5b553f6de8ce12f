import { sessionRow, threadRow } from '../../history/index.ts';
import { jsonAnnotations, jsonSession, jsonThread, jsonThreadDocument } from '../../views/json/index.ts';
import type { Output } from '../output.ts';
import { labelsOf } from '../session-labels.ts';
import { recordsOf, type Selection, type ShowOptions } from './index.ts';

export async function showJson(selection: Selection, output: Output, options: ShowOptions): Promise<void> {
  const { verbose = false } = options;
  const { session, thread, subagent } = selection;
  const labels = await labelsOf(session);
  const pieces = jsonThreadDocument(
    {
      session: {
        ...jsonSession(sessionRow(session)),
        ...(verbose ? { annotations: jsonAnnotations(session.facts.annotations, session.openingAnnotations()) } : {}),
      },
      thread: thread ? { id: thread.id, ...jsonThread(threadRow(thread)) } : null,
      ...(subagent
        ? { agent: { agent_id: subagent.id, tool_use_id: subagent.spawn?.call ?? null, sort: subagent.sort } }
        : {}),
      entries: (function* () {
        for (const record of recordsOf(selection))
          yield { record, content: session.content(record, { annotations: verbose }) };
      })(),
      labels,
      warnings: () => session.findings(),
    },
    { verbose },
  );
  for (const piece of pieces) output.write(piece);
}
