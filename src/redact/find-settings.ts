import { looksLikeCode } from './looks-like-code.ts';
import {
  isCookieName,
  isLogin,
  isPasswordName,
  isPhraseName,
  isPlaceholder,
  isSecretName,
  isTokenOfLanguage,
  isWeakName,
} from './secret-names.ts';
import type { Span } from './span.ts';

const SIGN = /pass|pwd|kennwort|phrase|mnemonic|secret|token|key|cred|auth|cookie|psk|otp/i;
const WORD = /[\p{L}_](?:[\p{L}\p{N}_$-]|\.(?=[\p{L}_])){0,119}/gu;

/** A setting whose name says that its value is secret: `DB_PASSWORD=…`, `"apiKey": "…"`, `--password …`, `<password>…</password>`. */
export function* findSettings(text: string): Generator<Span> {
  if (!SIGN.test(text)) return;
  let before = { word: '', end: -1 };
  let done = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const end = index + word.length;
    const name = before.end === index - 1 && text[before.end] === ' ' ? `${before.word} ${word}` : word;
    before = { word, end };
    if (
      index < done ||
      !SIGN.test(word) ||
      !(isSecretName(word) || isSecretName(name) || isDockerAuth(word, text, index))
    )
      continue;
    const value = findValue({ text, name: word, start: index, end });
    if (!value || value.end <= value.start) continue;
    yield { ...value, kind: kindOf(word), value: text.slice(value.start, value.end) };
    done = value.end;
  }
}

const kindOf = (name: string): string =>
  isCookieName(name) ? 'cookie' : /authorization$/i.test(name) ? 'bearer' : 'secret';

/** `"auth": "YW5uYTpodW50ZXIy"` in Docker's settings: elsewhere the word says little. */
const isDockerAuth = (word: string, text: string, at: number): boolean =>
  /^auth$/i.test(word) &&
  isLogin(/^auth["']?\s{0,5}[:=]\s{0,5}["']?([A-Za-z0-9+/=]{8,})/i.exec(text.slice(at, at + 600))?.[1] ?? '');

interface Setting {
  readonly text: string;
  readonly name: string;
  /** Of the name. */
  readonly start: number;
  readonly end: number;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Between a name and its value. Each is tried where the name ends. */
const ASSIGNED = /(?:["'`]\]?)?[?!]?[ \t]{0,40}(?::{1,2}=?|={1,3}>?|<-|!==?)(?!\/\/)[ \t]{0,80}/y;
const NEXT_LINE = /(?:[|>][+-]?)?[ \t]{0,20}\r?\n[ \t]{0,80}/y;
/** `name: DB_PASSWORD, value: …`, in any notation; also `"--password", "…"`. */
/** `"Set-Cookie": ["…"]` */
const LIST = /\[[ \t\r\n]{0,40}(?=["'])/y;
const NAMED =
  /["'`]?[\s,;]{1,80}(?:-[ \t])?["']?(?:value|val|content|default|text)["']?[ \t]{0,10}[:=][ \t\r\n]{0,40}/iy;
const NEXT_ITEM = /["'],[ \t\r\n]{0,80}(?=["'])/y;
const SPACE = /[ \t]{1,20}/y;
const TAG = />(?=[^<\r\n]{1,4000}<\/)/y;
const SAYS = /["'`]?[ \t]{1,4}(?:is|are|was|ist|lautet)[ \t:]{1,4}(?=["'`]|\S{0,60}\d)/iy;

function findValue(setting: Setting): Place | null {
  const { text, name, start, end } = setting;
  const at = (regex: RegExp): number | null => {
    regex.lastIndex = end;
    return regex.test(text) ? regex.lastIndex : null;
  };
  const assigned = at(ASSIGNED);
  if (assigned !== null) return assignedValue(setting, assigned);
  const isFlag = text[start - 1] === '-';
  const named = at(NAMED) ?? (isFlag || isHeaderItem(text, start, end) ? at(NEXT_ITEM) : null);
  if (named !== null) return valueAt(text, named, { isLoose: false });
  const isSet =
    isFlag ||
    /^_auth/i.test(name) ||
    /\b(?:set(?:env|x)?|ENV)[ \t]+(?:-{1,2}\w{1,20}[ \t]+){0,3}["']?$/.test(text.slice(Math.max(0, start - 60), start));
  const spaced = isSet ? at(SPACE) : null;
  if (spaced !== null && text[spaced] !== '-') return valueAt(text, spaced, { isLoose: isFlag });
  const tag = text[start - 1] === '<' ? at(TAG) : null;
  if (tag !== null) return upTo(text, tag, /[<\r\n]/g);
  const says = isPasswordName(name) ? at(SAYS) : null;
  return says === null ? null : valueAt(text, says, { isLoose: false });
}

/** `["Authorization", "…"]`: a list of names and values. */
const isHeaderItem = (text: string, start: number, end: number): boolean =>
  /^["']$/.test(text[start - 1] ?? '') &&
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]+)$/i.test(text.slice(start, end));

function assignedValue({ text, name, start, end }: Setting, from: number): Place | null {
  const sign = text.slice(end, from);
  // The end of base64 (`…token==",`), and `isOne ? 'token' : 'tokens'`.
  if (/^={1,2}$/.test(sign) && /^["'][\s,;)\]}]/.test(text.slice(from, from + 2))) return null;
  if (/^["'`]/.test(sign) && /\?\s{0,4}["'`]$/.test(text.slice(Math.max(0, start - 8), start))) return null;
  // Weak names speak of other things, too: `pass: 3`, `the token: …`.
  const isPlain = /["'`\]=]/.test(sign) || text[start - 1] === '-';
  const isNamed =
    isPlain || !isWeakName(name) || (!/^pass$/i.test(name) && (isLineStart(text, start) || /[A-Z]/.test(name)));
  // The folder a shell is in.
  if (/^(?:OLD)?PWD$/i.test(name) && /^["'`]?(?:[/~.$\\]|[A-Za-z]:)/.test(text.slice(from, from + 3))) return null;
  if (isCookieName(name)) return cookieAt(text, from);
  LIST.lastIndex = from;
  if (LIST.test(text)) return quotedAt(text, LIST.lastIndex, name);
  NEXT_LINE.lastIndex = from;
  if (NEXT_LINE.test(text)) return nextLineValue(text, NEXT_LINE.lastIndex);
  if (!isNamed && !/^["'`]/.test(text[from] ?? '')) return strongWord(text, from);
  // As in a shell or a file of settings: there is no expression.
  const isEnv = /^[=]$/.test(sign) && (name === name.toUpperCase() || isLineStart(text, start));
  const rest =
    sign.includes(':') && (isPhraseName(name) || (isPasswordName(name) && isLineStart(text, start)))
      ? phraseAt(text, from, name)
      : null;
  return rest ?? valueAt(text, from, { isLoose: isEnv, name, isTight: sign === '=' });
}

const isLineStart = (text: string, at: number): boolean =>
  /(?:^|[\r\n])[ \t]{0,40}(?:-[ \t]+)?(?:export[ \t]+|ENV[ \t]+|set[ \t]+)?["'#]?$/.test(
    text.slice(Math.max(0, at - 60), at),
  );

interface Look {
  /** Whatever stands there is the value. */
  readonly isLoose: boolean;
  readonly name?: string;
  /** There is no space around the sign. */
  readonly isTight?: boolean;
}

const SCHEME =
  /(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|Bot|AWS4-HMAC-SHA256|SSWS|GoogleLogin|OAuth)[ \t]{1,4}(?=[\w.~+/=-]{6}|[${])/iy;

function valueAt(text: string, from: number, look: Look): Place | null {
  const prefix = /^(?:[bfruBFRU$@]{1,2}|new String\()(?=["'])/.exec(text.slice(from, from + 14))?.[0].length ?? 0;
  const quote = text[from + prefix];
  if (quote === '"' || quote === "'" || quote === '`') return quotedAt(text, from + prefix, look.name);
  if (/[{[(<]/.test(text[from] ?? '<') && !look.isLoose) return null;
  const start = afterScheme(text, from);
  if (text.startsWith('${', start) || text.startsWith('{{', start)) return null;
  const isWhole = look.isLoose || start > from;
  // A comma or a semicolon may be part of a password, but in code and in lists it ends the value.
  const place = upTo(text, start, isWhole ? /[\s"'`<>\\]/g : /[\s"'`<>,;&)}\]|\\]/g);
  const value = place && text.slice(place.start, place.end);
  if (!place || !value || isPlaceholder(value) || value.startsWith('$(') || value.startsWith('[')) return null;
  if (isWhole) return place;
  return looksLikeCode(value, text.slice(place.end, place.end + 4), look.name ?? '', look.isTight ?? false)
    ? null
    : place;
}

function afterScheme(text: string, at: number): number {
  SCHEME.lastIndex = at;
  return SCHEME.test(text) ? SCHEME.lastIndex : at;
}

const LONGEST = 4096;

function upTo(text: string, start: number, end: RegExp): Place | null {
  const rest = text.slice(start, start + LONGEST);
  end.lastIndex = 0;
  const found = end.exec(rest)?.index ?? rest.length;
  return found === 0 || isPlaceholder(rest.slice(0, found)) ? null : { start, end: start + found };
}

/** In quotes everything belongs to the value, up to the quote that ends it. */
function quotedAt(text: string, at: number, name = ''): Place | null {
  const quote = text[at] as string;
  const mark = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  const from = at + mark.length;
  let end = from;
  while (
    end < text.length &&
    end - from < LONGEST &&
    !text.startsWith(mark, end) &&
    (mark.length === 3 || text[end] !== '\n')
  )
    end += text[end] === '\\' ? 2 : 1;
  if (!text.startsWith(mark, end)) return upTo(text, from, /[\s"'`]/g);
  const start = Math.min(afterScheme(text, from), end);
  const value = text.slice(start, end);
  return isPlaceholder(value) ||
    value.trim() === '' ||
    (mark === '`' && value.startsWith('${')) ||
    isTokenOfLanguage(name, value)
    ? null
    : { start, end };
}

/** Several words in a line of their own are a phrase; many are a sentence about one. */
function phraseAt(text: string, from: number, name: string): Place | null {
  const line = /^[^\r\n"'`{}()|<>=]*/.exec(text.slice(from, from + 300))?.[0].trimEnd() ?? '';
  const next = text[from + line.length];
  const words = line.split(/[ \t]+/).length;
  if (words < 2 || !(next === undefined || /[\s"'`<|]/.test(next)) || /[,;:]$/.test(line) || / [#/]/.test(line))
    return null;
  return words <= (isPhraseName(name) ? 30 : 5) ? { start: from, end: from + line.length } : null;
}

/** Only what cannot be a word. */
function strongWord(text: string, from: number): Place | null {
  const place = valueAt(text, from, { isLoose: false });
  return place && /\d/.test(text.slice(place.start, place.end)) && place.end - place.start >= 6 ? place : null;
}

function nextLineValue(text: string, from: number): Place | null {
  if (/["'`]/.test(text[from] ?? '')) return quotedAt(text, from);
  const line = /^[^\r\n]*/.exec(text.slice(from, from + LONGEST))?.[0].trimEnd() ?? '';
  return /^[^\s"'`(){}[\];,:<>]{5,}$/.test(line) && /[^A-Za-z_.-]/.test(line) && !isPlaceholder(line)
    ? { start: from, end: from + line.length }
    : null;
}

/** All cookies of a header. */
function cookieAt(text: string, from: number): Place | null {
  const quote = text[from];
  if (quote === '"' || quote === "'") {
    const place = quotedAt(text, from);
    return place && text.slice(place.start, place.end).includes('=') ? place : null;
  }
  const place = upTo(text, from, /["'`\r\n]/g);
  return place && /^[\w.%-]{1,200}=[^\s;]/.test(text.slice(place.start, place.start + 300)) ? place : null;
}
