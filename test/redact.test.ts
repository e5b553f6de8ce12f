import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../src/redact/index.ts';
import {
  everythingPlanted,
  leaksIn,
  mediaDetail,
  plantedMedia,
  plantedNames,
  plantedSecrets,
  secretsInJson,
} from './kit/secrets.ts';

const redact = (text: string): string => new Redactor().redact(text);
/** Put together here, so that no scanner takes this file for a leak. */
const key = (...parts: string[]): string => parts.join('');

/** What a pattern might begin with again and again, and never end. */
const PATHOLOGICAL = [
  ...[
    'a@',
    '/home/',
    '/home/anna/',
    'TOKEN=',
    'eyJ',
    'eyJa.',
    `-----BEGIN ${'PRIVATE'} KEY-----`,
    'password: ',
    'password="',
    '\\\\"',
    '%2F',
  ],
  ...[
    'aB3/',
    '\u001b[',
    '\u001b]',
    '\u200b',
    'a://b:c',
    'a://b:c@',
    'curl -u ',
    'mysql ',
    'machine a login b ',
    'a:5432:b:',
    'data:image/png;',
  ],
  ...[
    '-home-anna-',
    'Cookie: a=',
    'Bearer ',
    '<password>',
    '--password ',
    'name: PASSWORD, ',
    'a_',
    'PASSWORD',
    '"auth": "',
    `${'aB3d'.repeat(19)}\n`,
  ],
  ...[
    '?sig=',
    'ssh a@b ',
    'A B <a@b.cd> ',
    "password='''",
    'passphrase: a ',
    '{"password":',
    '["password",',
    '\\u0070',
    'a\\\n',
    '     1→',
    '> ',
  ],
];

describe('O --redact', () => {
  test.each([
    ['a home folder', 'see /home/anna/app/a.ts', 'see /home/user1/app/a.ts'],
    ['a home folder of a Mac', '/Users/anna.b/x', '/Users/user1/x'],
    ['a home folder of Windows', 'C:\\Users\\anna\\x', 'C:\\Users\\user1\\x'],
    ['a name with a hyphen', '/home/Anna-Maria/x', '/home/user1/x'],
    ['the home of root', 'cd /root/x', 'cd /user1/x'],
    ['a mail address of another script', 'an müller@bücher.example', 'an person-1@example.invalid'],
    ['an author', 'Author: Anna Berg <anna@corp.example>', 'Author: Person 1 <person-1@example.invalid>'],
    ['a folder named after one', '-home-anna-app/s.jsonl', '-home-user1-app/s.jsonl'],
    ['an e-mail address', 'mail anna@example.com now', 'mail person-1@example.invalid now'],
    ['a key of Anthropic', `x ${key('sk-', 'ant-api03-', 'a'.repeat(40))} y`, 'x [anthropic-key-1] y'],
    ['a key of OpenAI', key('sk-', 'proj-', 'b'.repeat(40)), '[openai-key-1]'],
    ['a token of GitHub', key('ghp', '_', 'c'.repeat(36)), '[github-token-1]'],
    ['a key of AWS', key('AKIA', 'ABCDEFGHIJKLMNOP'), '[aws-key-1]'],
    ['a bearer header', 'Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [bearer-1]'],
    ['a password in an address', 'postgres://app:hunter22@db/x', 'postgres://app:[password-1]@db/x'],
    ['a line of an .env file', 'DB_PASSWORD=correct-horse\nPORT=3000', 'DB_PASSWORD=[secret-1]\nPORT=3000'],
    ['a setting in JSON', '{"apiKey": "abcdef123456"}', '{"apiKey": "[secret-1]"}'],
    [
      'a private key',
      `a\n${key('-----BEGIN RSA ', 'PRIVATE KEY-----')}\nMIIE\n${key('-----END RSA ', 'PRIVATE KEY-----')}\nb`,
      'a\n[private-key-1]\nb',
    ],
    ['nothing', 'the token bucket has 3 keys', 'the token bucket has 3 keys'],
  ])('%s', (_name, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test('the same thing has the same name everywhere, other things others', () => {
    const redactor = new Redactor();
    expect(redactor.redact('a@b.org c@d.org a@b.org')).toBe(
      'person-1@example.invalid person-2@example.invalid person-1@example.invalid',
    );
    expect(redactor.redact('again c@d.org')).toBe('again person-2@example.invalid');
  });

  test('what was redacted once is not redacted again', () => {
    const redactor = new Redactor();
    const once = redactor.redact('TOKEN=abcdefghijk /home/anna a@b.org');
    expect(redactor.redact(once)).toBe(once);
  });

  test('the report says kinds, names, counts and places, never what it was', () => {
    const redactor = new Redactor();
    redactor.at('u1');
    redactor.redact('a@b.org');
    redactor.at('u2');
    redactor.redact('a@b.org');
    expect(redactor.report).toEqual([
      { kind: 'email', pseudonym: 'person-1@example.invalid', count: 2, places: ['u1', 'u2'] },
    ]);
    expect(JSON.stringify(redactor.report)).not.toContain('a@b.org');
  });

  test('values deep in JSON, and keys', () => {
    const value = { 'a@b.org': [{ path: '/home/anna/x' }], n: 1 };
    expect(new Redactor().redactJson(value)).toEqual({ 'person-1@example.invalid': [{ path: '/home/user1/x' }], n: 1 });
    const clean = { a: [1, 'two'] };
    expect(new Redactor().redactJson(clean)).toBe(clean);
  });

  test('U9 a name of a home is replaced wherever it stands as a word, in any notation', () => {
    const redactor = new Redactor();
    redactor.names.learnPath('/Users/anna b/app');
    redactor.names.learnPath('/home/max/app');
    redactor.names.learnPath('/home/ada.l/app');
    expect(redactor.redact('10 anna b staff, ADA.L/fix, -home-ada-l-app, Annabel, Math.max(1)')).toBe(
      '10 user1 staff, user2/fix, -home-user2-app, Annabel, Math.max(1)',
    );
  });

  test('U9 a home whose name is an ordinary word is replaced in paths only, and the report counts it', () => {
    const redactor = new Redactor();
    expect(redactor.redact('cd /home/node/app && node test /home/node')).toBe(
      'cd /home/user1/app && node test /home/user1',
    );
    expect(redactor.unseen).toEqual({ blobs: 0, names: 1 });
  });

  test('U9 a page of a site is no home', () => {
    const text = "'/home/about', https://a.b/home/anna, src/home/index.ts, '@/home/page', /home/index.html";
    expect(new Redactor().redact(text)).toBe(text.replace('/home/about', '/home/user1'));
  });

  test('attack B3 nothing that was planted is left, in any wrapping', () => {
    const wrappings: readonly (readonly [name: string, wrap: (text: string) => string])[] = [
      ['alone', (text) => text],
      ['JSON', JSON.stringify],
      ['JSON in JSON', (text) => JSON.stringify({ a: JSON.stringify({ text }) })],
      ['an address', encodeURIComponent],
      ['a diff', (text) => `+${text.replaceAll('\n', '\n+')}`],
      ['numbered lines', (text) => `     1→${text.replaceAll('\n', '\n     2→')}`],
      ['base64', (text) => btoa(unescape(encodeURIComponent(`${text} and more`)))],
      ['a command', (text) => `sh -c "${text}"`],
      [
        'HTML',
        (text) => `<pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</pre>`,
      ],
      ['a table', (text) => `| ${text} |`],
      ['a quotation', (text) => `> ${text.replaceAll('\n', '\n> ')}`],
      ['lines of Windows', (text) => text.replaceAll('\n', '\r\n')],
    ];
    const left = [...plantedSecrets, ...plantedNames].flatMap(({ what, text, secrets }) =>
      wrappings.flatMap(([name, wrap]) => {
        const redactor = new Redactor();
        redactor.names.learnPath('/home/annaschmidt/app');
        const clean = redactor.redact(wrap(text));
        return secrets.some((secret) => clean.includes(secret)) ? [`${what} in ${name}`] : [];
      }),
    );
    expect(left).toEqual([]);
  });

  test.each([0, 3, 90, 480])('attack B3 nothing is left in JSON, %i levels down', (deep) => {
    const redactor = new Redactor();
    redactor.names.learnPath('/home/annaschmidt/app');
    const value = [secretsInJson(deep), plantedMedia, mediaDetail, everythingPlanted];
    expect(leaksIn(JSON.stringify(redactor.redactJson(value)))).toEqual([]);
    expect(leaksIn(redactor.redact(JSON.stringify(secretsInJson(Math.min(deep, 90)), null, 2)))).toEqual([]);
  });

  test('attack B3 a key over several lines of a diff is gone from all of them, and as many lines stay', () => {
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} ${'PRIVATE'} KEY-----`);
    const lines = [' a', `+${begin}`, '+MIIEabc', '+def', `+${end}`, ' b'];
    expect(new Redactor().redactJson({ lines })).toEqual({ lines: [' a', '+[private-key-1]', '+', '+', '+', ' b'] });
  });

  test.each([
    'const token = await readToken(); if (token === null) throw new Error("no token");',
    'interface Login { password: string; token: Token | null; apiKey?: string }',
    'connect(password=password, token=token, api_key=settings.api_key)',
    'const key = keys[0]; const password = user.password; let passphrase = null;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as others write it
    'password: ${{ secrets.DB_PASSWORD }}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as others write it
    'DB_PASSWORD=$DB_PASSWORD API_KEY="${API_KEY}" TOKEN=$(cat token)',
    'OPENAI_API_KEY=sk-... PASSWORD=<password> TOKEN=*** ',
    '{"type":"string","password":{"type":"string"},"input_tokens":1234567,"max_tokens":4096,"token_count":12}',
    'usage: 184,220 tokens · "cache_read_tokens": 1234567',
    'pass: 12, fail: 0; tests pass; PASS src/a.test.ts; ok 1 - pass: yes',
    'PWD=/srv/app OLDPWD=/tmp pwd',
    'commit 726f44e0c1b2a39485766f5e4d3c2b1a09f8e7d6 29ccd257-9f2c-4b1e-8d3a-0123456789ab',
    '"integrity": "sha512-Zt1yodBx1UcyiePMSkWnU4hPqhwq7hGi2nFL1LeA3EUl+q2LQx16MISgJ0+z7dnmgvP9QtIleuETGOiOH1RcIw=="',
    'import { a } from "@scope/pkg"; npm i lodash@4.17.21 @types/node@22 logo@2x.png git@github.com:a/b.git',
    'https://a.b/c?d=e&page=2#token https://a.b/@scope/x:1 file.ts:12:5 12:34:56 a:b:c:d:e',
    'Basic authentication, Bearer authentication, the token bucket has 3 keys, the primary key: id',
    "{ token: 'keyword' } isOne ? 'token' : 'tokens' <T extends Token> x.token >= y.token",
    'src/views/markdown/render-markdown.ts AbstractSingletonProxyFactoryBeanManager DEADBEEFDEADBEEFDEADBEEF',
    'credentials: "include", mode: "cors"; cookies are set; document.cookie; tokenizer.tokens; keyboard',
  ])('attack B3 what is no secret stays as it is: %s', (text) => {
    expect(new Redactor().redact(text)).toBe(text);
  });

  test('attack B3 long base64 that nothing is known of stays, and the report counts it', () => {
    const redactor = new Redactor();
    const blob = btoa(Array.from({ length: 300 }, (_each, i) => String.fromCharCode((i * 89 + 131) % 256)).join(''));
    expect(redactor.redact(blob)).toBe(blob);
    expect(redactor.unseen.blobs).toBe(1);
  });

  test('no text makes it throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => typeof redact(text) === 'string'));
  });

  test.each(PATHOLOGICAL)(
    'attack B3 200 KB of %j are read to their end',
    (unit) => {
      const redactor = new Redactor();
      redactor.names.learnPath('/home/anna/app');
      expect(redactor.redact(unit.repeat(200_000 / unit.length)).length).toBeGreaterThan(0);
    },
    20_000,
  );

  test.each(['type', 'mimeType', 'name', 'kind', 'data'])('attack D3 a field %j nested 20,000 deep is cut', (key) => {
    let value: unknown = [];
    for (let i = 0; i < 20_000; i++) value = [value];
    expect(JSON.stringify(new Redactor().redactJson({ [key]: value }))).toContain('nested too deep');
  });
});
