/** Whole escape sequences of terminals: CSI, OSC and other strings up to their end, two-character ones. */
export const escapeSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const START = /[\x1b\x90-\x9f]/;

/** Text without the colours, cursor movements and titles a program sent to its terminal. */
export const stripEscapes = (text: string): string => (START.test(text) ? text.replace(escapeSequences, '') : text);
