import { redactValue, SCHEME } from './redact-value.ts';
import type { Span } from './span.ts';

/** JSON that a text holds: what its names say about its values is known better there than from the characters between them. */
export function* findInJson(text: string): Generator<Span> {
  for (const { start, value } of documentsIn(text)) {
    const secret = secretsIn(value.parsed);
    if (secret.size > 0) yield* literalsOf(text, start, start + value.length, secret);
  }
}

interface Document {
  readonly start: number;
  readonly value: { readonly parsed: unknown; readonly length: number };
}

const BEGIN = /^[ \t]{0,40}[[{]/m;

/** The whole text, what stands between its first bracket and its last, or lines of JSON. */
function* documentsIn(text: string): Generator<Document> {
  const first = BEGIN.exec(text);
  if (!first || (!text.includes('":') && !text.includes('", "') && !text.includes('","'))) return;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  const whole = parsed(text, first.index, end);
  if (whole) {
    yield whole;
    return;
  }
  let start = 0;
  for (const line of text.split('\n')) {
    const one = BEGIN.test(line) ? parsed(text, start, start + line.trimEnd().length) : null;
    if (one) yield one;
    start += line.length + 1;
  }
}

function parsed(text: string, start: number, end: number): Document | null {
  if (!/[\]}]/.test(text[end - 1] ?? '')) return null;
  try {
    return { start, value: { parsed: JSON.parse(text.slice(start, end)), length: end - start } };
  } catch {
    return null;
  }
}

/** What would be replaced in it by its name, not by its form; with the kind of each. */
function secretsIn(value: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  redactValue(
    {
      redact: (text) => text,
      redactLines: (lines) => lines,
      name: (kind, secret) => {
        found.set(secret, kind);
        return '';
      },
    },
    value,
  );
  return found;
}

function* literalsOf(text: string, from: number, to: number, secrets: ReadonlyMap<string, string>): Generator<Span> {
  for (let at = text.indexOf('"', from); at >= 0 && at < to; at = text.indexOf('"', at)) {
    let end = at + 1;
    while (end < to && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    const said = saidBy(text.slice(at, end + 1));
    const bare = SCHEME.exec(said)?.[2] ?? said;
    const kind = secrets.get(said) ?? secrets.get(bare);
    if (kind !== undefined) {
      const isBare = !secrets.has(said) && text.slice(at + 1, end).endsWith(bare);
      yield { start: isBare ? end - bare.length : at + 1, end, kind, value: isBare ? bare : said };
    }
    at = end + 1;
  }
}

function saidBy(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return '';
  }
}
