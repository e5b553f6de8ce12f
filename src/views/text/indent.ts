/** What belongs to the line above it. */
export const indent = (text: string): string => `  ⎿  ${text.split('\n').join('\n     ')}`;
