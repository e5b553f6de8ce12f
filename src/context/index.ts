export { buildContext, type ContextOptions, updateContext } from './build-context.ts';
export { CATEGORIES, type Category, type CategoryTokens, sumTokens } from './categories.ts';
export type { ContextPart, ContextView, PartType, Phase, ResponseContext } from './context-view.ts';
export { type Clears, findClears, isCleared } from './find-phases.ts';
export { type ContextMessage, type ContextWindow, windowAt } from './window-at.ts';
