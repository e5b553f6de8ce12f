/** What is taken out, by kind. `part`: the number of the group that is replaced, the rest of the match stays. */
export interface Pattern {
  readonly kind: string;
  readonly regex: RegExp;
  readonly part: number;
  /** Cheap test before the expression: without one of these nothing can match. */
  readonly signs: readonly string[];
  readonly pseudonym: (number: number) => string;
}

const secret = (kind: string, regex: RegExp, signs: readonly string[], part = 0): Pattern => ({
  kind,
  regex,
  part,
  signs,
  pseudonym: (number) => `[${kind}-${number}]`,
});

/** In this order: what a long pattern takes, a shorter one does not see again. */
export const patterns: readonly Pattern[] = [
  secret(
    'private-key',
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]{0,20000}?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g,
    ['PRIVATE KEY'],
  ),
  secret('anthropic-key', /\bsk-ant-[\w-]{16,300}/g, ['sk-ant-']),
  secret('openai-key', /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,300}/g, ['sk-']),
  secret('github-token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g, ['gh', 'github_pat_']),
  secret('gitlab-token', /\bgl(?:pat|ptt|dt|rt|cbt|ft)-[\w-]{16,100}/g, ['gl']),
  secret('aws-key', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, ['AKIA', 'ASIA', 'ABIA', 'ACCA']),
  secret('google-key', /\bAIza[\w-]{35}/g, ['AIza']),
  secret('google-token', /\bya29\.[\w-]{20,500}/g, ['ya29.']),
  secret('slack-token', /\bxox[abeoprs]-[\w-]{10,300}/g, ['xox']),
  secret('stripe-key', /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{10,200}/g, ['k_live_', 'k_test_']),
  secret('npm-token', /\bnpm_[A-Za-z0-9]{30,100}/g, ['npm_']),
  secret('pypi-token', /\bpypi-[\w-]{30,300}/g, ['pypi-']),
  secret('huggingface-token', /\bhf_[A-Za-z0-9]{30,100}/g, ['hf_']),
  secret('sendgrid-key', /\bSG\.[\w-]{16,64}\.[\w-]{16,100}/g, ['SG.']),
  secret('digitalocean-token', /\bdo[opr]_v1_[a-f0-9]{40,128}/g, ['_v1_']),
  secret('linear-key', /\blin_api_[A-Za-z0-9]{20,100}/g, ['lin_api_']),
  secret('jwt', /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}/g, ['eyJ']),
  secret('bearer', /\b(?:Bearer|Basic|token)\s+([\w.~+/=-]{12,2000})/gi, ['earer', 'asic', 'oken', 'EARER'], 1),
  secret('password', /:\/\/[^\s:/@'"]{1,100}:([^\s:/@'"]{1,200})@/g, ['://'], 1),
  // The value of a setting whose name says that it is secret: `DB_PASSWORD=…`, `"apiKey": "…"`.
  secret(
    'secret',
    /\b[A-Za-z0-9_.-]{0,60}(?:SECRET|TOKEN|PASSWORD|PASSWD|PRIVATE_KEY|API_?KEY|ACCESS_?KEY|CREDENTIALS?)[A-Za-z0-9_]{0,20}["']?\s{0,4}[=:]\s{0,4}["']?([^\s"',;\\[\]{}]{6,500})/gi,
    ['=', ':'],
    1,
  ),
  {
    kind: 'email',
    regex: /\b[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b/g,
    part: 0,
    signs: ['@'],
    pseudonym: (number) => `person-${number}@example.invalid`,
  },
  {
    kind: 'user',
    // `/home/anna`, `/Users/anna`, `C:\Users\anna`, and the folder names agents make of them.
    regex:
      /(?:[\\/]{1,4}(?:home|Users)[\\/]{1,4}|(?<![A-Za-z0-9])-(?:home|Users)-)([^\s\\/:"'`<>|*?,;()[\]{}-]{1,64})/g,
    part: 1,
    signs: ['home', 'Users'],
    pseudonym: (number) => `user${number}`,
  },
];
