import { type Find, type Span, unite } from './span.ts';

const RUN = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
/** How the bytes of pictures, sounds, videos, documents and archives begin, as base64. */
const MEDIA =
  /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|SUkq|TU0AK|SUQz|\/\/[vsu]|T2dnUw|ZkxhQw|AAAA[A-Za-z0-9+/]{3,6}Z0eX|GkXfo|Qk[0-9]|AAABAA|PHN2Z|UEsDB|H4sI|N3q8r|0M8R4K|e1xydG|KLUv|d09G|AAEAAAA|T1RUTw|RklMR|Uklm)/;
const DATA_URL = /data:((?!text\/)[\w.+-]{1,60}\/[\w.+-]{1,100})((?:;[\w.+=-]{1,60}){0,4}),([^\s"'`<>()\\]{1,})/gi;

/** What was found in text that is no text. */
export interface Encoded {
  /** Long runs of bytes that nothing can be said about. */
  readonly onUnseen: () => void;
  /** The same search, for what is encoded. */
  readonly find: Find;
}

/** Media are taken out; encoded text that holds a secret too. */
export function* findEncoded(text: string, { onUnseen, find }: Encoded): Generator<Span> {
  let done = 0;
  for (const { 0: url, 3: data = '', index } of text.includes('data:') ? text.matchAll(DATA_URL) : []) {
    const end = index + url.length;
    yield { start: end - data.length, end, kind: 'media', value: data };
    done = end;
  }
  for (const { 0: first, index } of text.matchAll(RUN)) {
    if (index < done) continue;
    const end = endOfRun(text, index + first.length, first.length);
    done = end;
    const run = end === index + first.length ? first : text.slice(index, end).replace(/\s+/g, '');
    const kind = run.length >= 40 && MEDIA.test(run) ? 'media' : kindOf(run, find);
    if (kind === null && run.length >= UNSEEN && isMixed(run)) onUnseen();
    if (kind !== null) yield { start: index, end, kind, value: run };
  }
}

const UNSEEN = 300;
/** `base64` writes lines of 76 characters, others of 60 or 64. */
const NEXT_LINE = /\r?\n[ \t]{0,20}([A-Za-z0-9+/]{4,200}={0,2})(?![\w+/-])/y;

function endOfRun(text: string, from: number, width: number): number {
  let end = from;
  if (width < 60) return end;
  NEXT_LINE.lastIndex = end;
  for (let next = NEXT_LINE.exec(text); next && (next[1] ?? '').length <= width; next = NEXT_LINE.exec(text)) {
    end = NEXT_LINE.lastIndex;
    if ((next[1] ?? '').length < width) break;
  }
  return end;
}

const isMixed = (run: string): boolean => /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);

/** Null: what is encoded is no text, or says nothing secret. */
function kindOf(run: string, find: Find): string | null {
  if (!isMixed(run) && !run.endsWith('=') && run.length < 60) return null;
  const text = decode(run);
  if (text === null) return null;
  return unite([...find(text)]).length > 0 ? 'encoded' : null;
}

function decode(run: string): string | null {
  const plain = run.replace(/=+$/, '').replace(/-/g, '+').replace(/_/g, '/');
  const whole = plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0));
  // What begins with bytes that are no text is none: most runs end here.
  if (!isText(bytes(whole.slice(0, 16)))) return null;
  const said = bytes(whole);
  return isText(said) ? said : null;
}

const bytes = (run: string): string => {
  try {
    return atob(run);
  } catch {
    return '\0';
  }
};

/** Not a control character in it, and not mostly letters of other scripts. */
const isText = (said: string): boolean =>
  !/(?![\t\n\r])\p{Cc}/u.test(said.replace(HIGH, '').replaceAll('\u001b', '')) &&
  (said.match(HIGH)?.length ?? 0) * 4 < said.length;
const HIGH = /[\x80-\xff]/g;
