export { History, type HistoryOptions, isPath } from './history.ts';
export { type Check, checkProject, Project, type ReadProject, unreadable } from './project.ts';
export { Session } from './session.ts';
