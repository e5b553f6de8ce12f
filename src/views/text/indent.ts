/** What belongs to the line above it. Empty lines stay empty. */
export const indent = (text: string): string => `  ⎿  ${indentFurtherLines(text)}`;

export const indentFurtherLines = (text: string): string => text.replace(/\n(?=[^\n])/g, '\n     ');
