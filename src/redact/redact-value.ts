import {
  isCookieName,
  isLogin,
  isPasswordName,
  isPlaceholder,
  isSecretName,
  isTokenOfLanguage,
} from './secret-names.ts';

/** What a redactor does with one value. */
export interface Redactable {
  redact(text: string): string;
  /** Lines of one text: as many come back. */
  redactLines(lines: readonly string[]): readonly string[];
  /** What stands in place of a value. */
  name(kind: string, found: string): string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Deeper values are not looked into, and left out. */
const DEEPEST = 500;
const TOO_DEEP = '… nested too deep';

/** A JSON value without what must not leave the machine. What holds nothing of it stays the same object. */
export const redactValue = (by: Redactable, value: unknown): unknown => clean(by, value, null, DEEPEST);

/** `name`: what says that texts in here are secret; null: nothing does. */
function clean(by: Redactable, value: unknown, name: string | null, left: number): unknown {
  if (typeof value === 'string') return name === null ? by.redact(value) : secretText(by, value, name);
  if (typeof value === 'number') return name !== null && isPasswordName(name) ? by.name('secret', `${value}`) : value;
  if (value === null || typeof value !== 'object') return value;
  if (left === 0) return TOO_DEEP;
  return Array.isArray(value) ? cleanList(by, value, name, left) : cleanObject(by, value as Fields, name, left);
}

export const SCHEME = /^((?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|Bot|AWS4-HMAC-SHA256|SSWS)[ \t]+)(.+)$/is;

function secretText(by: Redactable, text: string, name: string): string {
  if (isPlaceholder(text.trim()) || text.trim() === '' || isTokenOfLanguage(name, text)) return by.redact(text);
  const [, scheme = '', rest = text] = SCHEME.exec(text) ?? [];
  return scheme + by.name(isCookieName(name) ? 'cookie' : 'secret', rest);
}

/** `["Authorization", "…"]`, `["--password", "…"]`: a name says what the next item is. */
function cleanList(by: Redactable, list: readonly unknown[], name: string | null, left: number): unknown {
  const lines = linesOf(by, list);
  const items = list.map((item, i) => {
    const before = list[i - 1];
    const flag = typeof before === 'string' && NAME.test(before) && isSecretName(before) ? before : null;
    const isNamed = flag !== null && (flag.startsWith('-') || (i === 1 && list.length === 2) || HEADER.test(flag));
    const about = isNamed ? flag : name;
    return lines && about === null ? lines[i] : clean(by, item, about, left - 1);
  });
  return items.some((item, i) => item !== list[i]) ? items : list;
}

/** The lines of a text or of a diff, which say more together: a key is many lines long. */
function linesOf(by: Redactable, list: readonly unknown[]): readonly string[] | null {
  if (list.length < 2 || !list.every((item) => typeof item === 'string')) return null;
  if (!list.every((item) => /^[+\- \\]/.test(item))) return by.redactLines(list);
  return by.redactLines(list.map((item) => item.slice(1))).map((line, i) => `${list[i]?.[0]}${line}`);
}

const NAME = /^-{0,2}[\w.-]{1,80}$/;
const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]+)$/i;

/** Values of these belong to what the object is named. */
const VALUES = new Set('value val content default secret v text data stringvalue current plaintext raw'.split(' '));
const NAMES = 'name key header variable env field param parameter id label k property option'.split(' ');
/** Words of a format, not of a person. */
const FIXED = new Set('type role kind media_type mimeType mime_type stop_reason subtype level'.split(' '));

function cleanObject(by: Redactable, fields: Fields, name: string | null, left: number): unknown {
  const media = mediaFields(fields);
  const named = nameOf(fields);
  const isVault = fields.kind === 'Secret';
  let changed = false;
  const entries = Object.entries(fields).map(([key, each]) => {
    const about = secretAbout(key, each, { name, named, isVault });
    const value = media.has(key)
      ? withoutMedia(by, each, left - 1)
      : FIXED.has(key) && typeof each === 'string' && /^[\w/+.-]{1,80}$/.test(each) && about === null
        ? each
        : clean(by, each, about, left - 1);
    const to = by.redact(key);
    changed ||= to !== key || value !== each;
    return [to, value] as const;
  });
  return changed ? Object.fromEntries(entries) : fields;
}

interface Around {
  readonly name: string | null;
  /** `{ name: 'DB_PASSWORD', value: … }` */
  readonly named: string | null;
  /** A secret of Kubernetes: all its data. */
  readonly isVault: boolean;
}

function secretAbout(key: string, value: unknown, { name, named, isVault }: Around): string | null {
  const isValue = VALUES.has(key.toLowerCase());
  if (isSecretName(key) || (key === 'auth' && typeof value === 'string' && isLogin(value))) return key;
  if (named !== null && isValue) return named;
  if (isVault && (key === 'data' || key === 'stringData')) return VAULT;
  return name !== null && (isValue || name === VAULT) ? name : null;
}

const VAULT = 'secret data';

function nameOf(fields: Fields): string | null {
  for (const key of NAMES) {
    const name = fields[key];
    if (typeof name === 'string' && isSecretName(name)) return name;
  }
  return null;
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const BYTES = new Set('data base64 blob bytes source file input_audio image_url'.split(' '));
const BLOB = new Set(['blob']);

/** Which fields hold a picture, a sound or a document: in the forms of Claude Code, Pi, MCP and OpenAI. */
function mediaFields(fields: Fields): ReadonlySet<string> {
  const { type } = fields;
  const media = [fields.mimeType, fields.media_type, fields.mime_type, fields.mediaType].find(
    (each) => typeof each === 'string',
  );
  const isMedia = typeof media === 'string' && !isTextType(media);
  if (
    isMedia ||
    (typeof type === 'string' && MEDIA.has(type)) ||
    type === 'Buffer' ||
    typeof fields.base64 === 'string'
  )
    return BYTES;
  return typeof fields.blob === 'string' ? BLOB : NO_FIELDS;
}

const MEDIA = new Set('image audio video document input_image input_audio input_file image_url pdf base64'.split(' '));
const isTextType = (media: string): boolean =>
  /^text\/|json|javascript|yaml|xml/.test(media) && !/^image|officedocument/.test(media);

/** What says where it is or what it is stays; the bytes go. */
function withoutMedia(by: Redactable, value: unknown, left: number): unknown {
  if (typeof value === 'string') {
    if (value === '') return value;
    if (/^(?:https?|file|blob):|^[./~]/.test(value) && value.length < 2000 && !/^\/9j\//.test(value))
      return by.redact(value);
    by.name('media', value);
    return '';
  }
  if (value === null || typeof value !== 'object') return value;
  if (left <= 0) return TOO_DEEP;
  if (Array.isArray(value)) {
    if (!value.every((each) => typeof each === 'number')) return clean(by, value, null, left);
    by.name('media', `${value.length} ${value.slice(0, 100)}`);
    return [];
  }
  const { type, media_type } = value as Fields;
  const isText = type === 'text' || type === 'content' || (typeof media_type === 'string' && isTextType(media_type));
  if (isText) return clean(by, value, null, left);
  const entries = Object.entries(value).map(([key, each]) => [
    by.redact(key),
    BYTES.has(key) ? withoutMedia(by, each, left - 1) : clean(by, each, null, left - 1),
  ]);
  return Object.fromEntries(entries);
}
