import { accepts, type Clause, NO_ATTRIBUTES } from '../../search/index.ts';
import type { Logs } from '../logs.ts';
import type { Project } from '../project.ts';

/** Whether anything in some logs can pass the filters for projects and agents. */
export function passesLogs(clause: Clause | null, project: Project, logs: Logs): boolean {
  if (!clause) return true;
  switch (clause.as) {
    case 'and':
      return clause.of.every((part) => passesLogs(part, project, logs));
    case 'or':
      return clause.of.some((part) => passesLogs(part, project, logs));
    case 'filter': {
      const { filter } = clause;
      if (filter.name !== 'project' && filter.name !== 'agent') return true;
      return accepts(filter)({ ...NO_ATTRIBUTES, project: [...project.names, project.path], agent: logs.format.name });
    }
    default:
      return true;
  }
}
