/** The header is the first line, or the second where oh-my-pi keeps a title that can be overwritten in place before it. */
export function sniff(firstLines: readonly string[]): boolean {
  return firstLines
    .filter((line) => line.trim() !== '')
    .slice(0, 2)
    .some(isHeader);
}

function isHeader(line: string): boolean {
  try {
    // A byte order mark counts as white space here, and not for JSON.
    const value: unknown = JSON.parse(line.trim());
    const { type, id } = (value ?? {}) as { type?: unknown; id?: unknown };
    return type === 'session' && typeof id === 'string';
  } catch {
    return false;
  }
}
