export * from './index-store.ts';
export { hashText, MessageKeys } from './message-keys.ts';
