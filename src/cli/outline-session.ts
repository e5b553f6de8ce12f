import type { Session } from '../history/index.ts';
import { buildOutline, type Outline } from '../outline/index.ts';

/** The whole session, with all branches and sub-agents. */
export const outlineSession = (session: Session, verbose: boolean): Outline =>
  buildOutline(session.logs.read().tree, session.id, (record) => session.content(record, { annotations: true }), {
    verbose,
    title: session.title ?? session.id,
    annotation: (annotation) => session.annotation(annotation),
  });
