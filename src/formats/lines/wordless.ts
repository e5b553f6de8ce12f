/** Blank, or the mere name of a command: nothing to remember a session by. */
export const isWordless = (text: string): boolean => /^\s*(?:\/[\w:-]+\s*)?$/.test(text);
