export * from './index-store.ts';
export { MessageKeys } from './message-keys.ts';
