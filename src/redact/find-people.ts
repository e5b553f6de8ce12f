import type { Span } from './span.ts';

const LOCAL = /[\p{L}\p{N}._%+'-]{1,64}$/u;
const DOMAIN =
  /^(?:(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}\p{L}[\p{L}\p{N}-]{1,23}|localhost)(?![\p{L}\p{N}]|@)/u;
/** Of a login: `anna@build:/srv`, `ssh anna@build`. */
const HOST = /^[A-Za-z][\w-]{0,62}(?=:[~/])/;
const BEFORE_LOGIN = /\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)\b[^\n|;&]{0,120}$/;
const LOGIN_HOST = /^[A-Za-z\d][\w.-]{0,80}/;

/** Addresses that stand for a program. */
const NOBODY = /^(?:git|hg|svn|root|admin|ubuntu|debian|centos|ec2-user|deploy|www-data|postgres|nobody)$/i;
const PROGRAM = /^(?:noreply@(?:anthropic|github)\.com|git@[\w.-]+)$/i;
/** `logo@2x.png`, `import x from '@scope/pkg@1.2.js'` */
const FILE = /\.(?:png|jpe?g|gif|webp|svg|tsx?|jsx?|mjs|cjs|json|css|html?|md|map|py|rs|go)$/i;

/** Mail addresses, of any script, and who logs in where. The name in front of an address is that of a person. */
export function* findPeople(text: string): Generator<Span> {
  let done = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = text.slice(Math.max(done, at - 64), at);
    const found = LOCAL.exec(before)?.[0] ?? '';
    // `\na@b.org`: the letter belongs to the escape.
    const local = found.replace(before.at(-found.length - 1) === '\\' ? /^[nrt]?['.-]*/ : /^['.-]+/, '');
    if (local === '') continue;
    const rest = text.slice(at + 1, at + 260);
    const domain = DOMAIN.exec(rest)?.[0] ?? (NOBODY.test(local) ? undefined : loginHost(text, at, rest));
    if (domain === undefined) continue;
    const start = at - local.length;
    const end = at + 1 + domain.length;
    const value = text.slice(start, end);
    if (PROGRAM.test(value) || FILE.test(domain) || /^person-\d+@example\.invalid$/.test(value)) continue;
    done = end;
    yield { start, end, kind: 'email', value };
    yield* nameBefore(text, start);
  }
}

function loginHost(text: string, at: number, rest: string): string | undefined {
  const host = HOST.exec(rest)?.[0];
  if (host !== undefined) return host;
  return BEFORE_LOGIN.test(text.slice(Math.max(0, at - 200), at)) ? LOGIN_HOST.exec(rest)?.[0] : undefined;
}

/** `Author: Anna Schmidt <anna@…>` */
function* nameBefore(text: string, at: number): Generator<Span> {
  if (text[at - 1] !== '<') return;
  const name = /(?:^|[\s"'(:])((?:\p{Lu}[\p{L}'.-]{0,30} ){1,4}|(?:\p{L}[\p{L}'.-]{0,30} ){1,3})$/u
    .exec(text.slice(Math.max(0, at - 100), at - 1))?.[1]
    ?.trimEnd();
  if (name === undefined || name === 'Claude') return;
  yield { start: at - 2 - name.length, end: at - 2, kind: 'person', value: name };
}
