import { buildContext, type ContextView } from '../context/index.ts';
import type { Session, Thread } from '../history/index.ts';
import type { ContentOf } from '../model/index.ts';

/** What fills the model's window along a thread, with what was said before its first record. */
export function threadContext(session: Session, thread: Thread): ContextView {
  const content: ContentOf = (record) => session.content(record, { annotations: true });
  return buildContext(session.logs.read().tree, session.id, thread.id, content, {
    opening: (annotation) => session.annotation(annotation),
  });
}
