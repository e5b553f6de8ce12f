import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../src/redact/index.ts';

const redact = (text: string): string => new Redactor().redact(text);
/** Put together here, so that no scanner takes this file for a leak. */
const key = (...parts: string[]): string => parts.join('');

describe('O --redact', () => {
  test.each([
    ['a home folder', 'see /home/anna/app/a.ts', 'see /home/user1/app/a.ts'],
    ['a home folder of a Mac', '/Users/anna.b/x', '/Users/user1/x'],
    ['a home folder of Windows', 'C:\\Users\\anna\\x', 'C:\\Users\\user1\\x'],
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

  test('no text makes it throw, and a long one does not make it slow', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => typeof redact(text) === 'string'));
    for (const hostile of [
      'a@'.repeat(100_000),
      '/home/'.repeat(50_000),
      'TOKEN='.repeat(50_000),
      'eyJ'.repeat(50_000),
      '-----BEGIN PRIVATE KEY-----'.repeat(2000),
    ])
      expect(redact(hostile).length).toBeGreaterThan(0);
  }, 20_000);
});
