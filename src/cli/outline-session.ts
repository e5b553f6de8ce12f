import type { Session } from '../history/index.ts';
import { buildOutline, type Outline, type OutlineOptions } from '../outline/index.ts';

/** The whole session with all branches and sub-agents, or only a part of it. */
export const outlineSession = (session: Session, verbose: boolean, only?: OutlineOptions['only']): Outline =>
  buildOutline(session.logs.read().tree, session.id, (record) => session.content(record, { annotations: true }), {
    verbose,
    title: session.title ?? session.id,
    ...(only && { only }),
    annotation: (annotation) => session.annotation(annotation),
  });
