/** Whether what has this name is secret: `DB_PASSWORD`, `apiKey`, `X-Api-Key`, `client_secret`, `spring.datasource.password`. */
export function isSecretName(name: string): boolean {
  if (name.length > LONGEST || !MAYBE.test(name)) return false;
  if (/^_(?:auth|password)/i.test(name) || isCookieName(name)) return true;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (HARMLESS_LAST.has(last) || HARMLESS_FIRST.has(words[0] ?? '')) return false;
  if (words.some((word) => /^(?:usage|count|total|limit)s?$/.test(word))) return false;
  return words.some((word, i) => isSecretWord(word) || (KEYED.has(word) && /^keys?\d*$/.test(words[i + 1] ?? '')));
}

/** `YW5uYTpodW50ZXIy`: a user and a password, as Docker keeps them. */
export function isLogin(value: string): boolean {
  try {
    return /^[A-Za-z0-9+/]{8,1000}={0,2}$/.test(value) && /^[ -~]+:[ -~]+$/.test(atob(value));
  } catch {
    return false;
  }
}

/** Names that many harmless things have too: what stands behind them must look like a secret. */
export const isWeakName = (name: string): boolean => /^(?:pass|pwd|auth|cookie|secret|token|credentials?)$/i.test(name);

/** A sentence may be one. */
export const isPhraseName = (name: string): boolean => /phrase|mnemonic/i.test(name);

export const isPasswordName = (name: string): boolean => /pass|pwd|passwort|kennwort|phrase|mnemonic/i.test(name);

export const isCookieName = (name: string): boolean => /^(?:set-?)?cookie2?$/i.test(name);

const LONGEST = 120;
const MAYBE = /pass|pwd|kennwort|phrase|mnemonic|secret|token|key|cred|auth|cookie|psk|otp/i;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const SECRET =
  /^(?:pass|passw|passwords?|passwds?|passwort|passphrases?|passcode|pwd|kennwort|mnemonic|secrets?|token|credentials?|creds|psk|totp|otp|authorization|cookie|auth[0-9]?|apikeys?|accesskey|secretkey|privatekey|authkey|signingkey|apitoken|authtoken|accesstoken|refreshtoken|bearertoken)\d*$/;
const ENDS_SECRET = /(?:password|passwd|passphrase|secret|apikey|token|pwd)\d*$/;

const isSecretWord = (word: string): boolean =>
  (SECRET.test(word) && !/^auth/.test(word)) ||
  /^auth(?:key|token|orization)\d*$/.test(word) ||
  (ENDS_SECRET.test(word) && word.length <= 40);

/** `…Key` is secret behind these. */
const KEYED = new Set(
  'api access secret private signing encryption encrypt auth account shared master storage subscription license service ssh deploy hmac webhook consumer unseal recovery instrumentation registration app application admin functions host client app'.split(
    ' ',
  ),
);

/** What a secret is about, not the secret: `token_count`, `password_file`, `secretName`. */
const HARMLESS_LAST = new Set(
  `count counts limit limits length len size name names id ids url uri uris endpoint type types path paths file files filename dir folder
  field fields label labels placeholder policy expires expiry expiration expired ttl age budget usage used index idx required enabled
  disabled visible strength validator validation valid invalid error errors message messages hint regex pattern schema manager provider
  service services storage store helper helpers util utils handler callback fn func function class component page form reset changed stdin prompt max
  min ref refs scope scopes format version algorithm alg issuer audience kind status state rate price cost total sum avg window position
  pos start begin end line lines col column counter bucket grant param params arg args user username email mail on by at date time timestamp
  is exists missing found source reader writer parser lexer stream generator factory interface model entity table dialog modal button
  summary display delta info stats input icon link text title description rotation tokens bytes chars ms seconds env`.split(
    /\s+/,
  ),
);
const HARMLESS_FIRST = new Set(
  'is has no max min num total next page continuation pad eos bos unk sep cls mask stop special show hide toggle forgot verify validate check get set parse create update delete remove generate'.split(
    ' ',
  ),
);

/** `{ token: 'keyword' }`, `lastToken !== '}'`: of a language, not of an account. */
export const isTokenOfLanguage = (name: string, value: string): boolean =>
  /token$/i.test(name) && /^(?:[a-z]{1,12}|[^A-Za-z0-9]{1,5})$/.test(value);

/** What stands where a secret would, and is none. */
export const isPlaceholder = (value: string): boolean =>
  value.length === 0 ||
  /(?:\.{3}|…)$/.test(value) ||
  PLACEHOLDER.test(value) ||
  /^\$\{[^}]{0,200}\}$|^\{\{[^}]{0,200}\}\}$|^<[^<>]{0,100}>$/.test(value);

const PLACEHOLDER =
  /^(?:[*•·.#_x-]{1,100}|true|false|null|nil|none|undefined|yes|no|string|str|text|int|integer|number|bool|boolean|any|unknown|void|never|object|bytes|buffer|redacted|hidden|masked|include|same-origin|omit|inherit|\{\w{1,60}\}|your[-_ ].{0,60}|\$[A-Z_][A-Z0-9_]{0,80}|\$\(.{0,200}|%\w{1,60}%|process\.env\.\w{1,80}|\[[a-z][a-z-]{1,30}-\d+\]|\[?redacted\]?)$/i;
