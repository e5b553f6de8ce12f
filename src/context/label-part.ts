const LONGEST = 60;

/** How a text begins, on one line. A string of its own: a slice would keep the whole text in memory. */
export function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim();
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  return ` ${cut}`.slice(1).toWellFormed();
}

/** What a call is mostly about; the first of these that it has. */
const ASKED = [
  'file_path',
  'path',
  'notebook_path',
  'pattern',
  'command',
  'skill',
  'url',
  'query',
  'description',
  'subject',
  'to',
  'recipient',
];

/** `Read src/a.ts`, `Bash npm test`. */
export function callLabel(name: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  for (const key of ASKED) {
    const asked = Object.hasOwn(values, key) ? values[key] : null;
    if (typeof asked === 'string' && asked !== '') return `${excerpt(name)} ${excerpt(asked)}`;
  }
  return excerpt(name);
}
