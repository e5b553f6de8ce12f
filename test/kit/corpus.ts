import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { History, type Session } from '../../src/history/index.ts';
import { buildOutline, type Outline } from '../../src/outline/index.ts';

export const CORPUS = resolve('../shared/corpus');
const roots = ['claude-code/projects', 'pi'].map((name) => join(CORPUS, name)).filter((path) => existsSync(path));

/** Every real session that lies beside the checkout; none where there is no corpus. */
export const corpusSessions = (): Session[] =>
  roots.length === 0 ? [] : History.open({ roots }).projects.flatMap((project) => [...project.sessions()]);

export const hasCorpus: boolean = roots.length > 0;

export const outlineOf = (session: Session): Outline =>
  buildOutline(session.logs.read().tree, session.id, (record) => session.content(record, { annotations: true }), {
    title: session.title ?? session.id,
    annotation: (annotation) => session.annotation(annotation),
  });
