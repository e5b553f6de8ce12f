import { isPlaceholder } from './secret-names.ts';
import type { Span } from './span.ts';

/** Passwords that are told by where they stand: in an address, behind an option of a program, in a file of logins. */
export function* findLogins(text: string): Generator<Span> {
  yield* inAddresses(text);
  for (const { regex, sign } of PLACES) {
    if (!sign.test(text)) continue;
    for (const match of text.matchAll(regex)) {
      const value = match.groups?.value ?? '';
      if (isPlaceholder(value) || /^\$[{(A-Z]/.test(value)) continue;
      const end = match.index + match[0].length;
      yield { start: end - value.length, end, kind: 'password', value };
    }
  }
}

/** Each ends with what is taken out. */
const PLACES: readonly { readonly regex: RegExp; readonly sign: RegExp }[] = [
  // curl -u anna:hunter2, http -a anna:hunter2; of `-u 1000:1000` nobody learns anything
  {
    sign: /curl|http|wget/i,
    regex:
      /(?<=[\s"',])(?:-[A-Za-z]{0,6}u|--user|--proxy-user|-U|-a|--auth)(?:[ =\t]|["'],[ \t]?){0,3}["']?[^\s:"'/,]{1,100}:(?<value>(?!\d{1,6}\b)[^\s"'`,]{1,300})/g,
  },
  // mysql -pPASS, sshpass -p PASS, redis-cli -a PASS, docker login -p PASS, 7z -pPASS, unzip -P PASS, ldapsearch -w PASS
  {
    sign: /mysql|mariadb|7z/,
    regex: /\b(?:mysql\w{0,10}|mariadb[\w-]{0,10}|7z[ar]?)\b[^\n|;&]{0,300}?\s-p["']?(?<value>[^\s"'`|;&]{1,200})/g,
  },
  {
    sign: /sshpass|docker|podman|mongo|helm|redis|unzip|\bzip|ldap|sqlcmd|sqlplus|rabbit|psexec/i,
    regex:
      /\b(?:sshpass|(?:docker|podman|helm registry|az acr) login|mongo\w{0,8}|redis-cli|(?:un)?zip|ldap\w{3,8}|sqlcmd|psexec)\b[^\n|;&]{0,300}?\s-[pPaw][ \t]{0,3}["']?(?<value>(?!-)[^\s"'`|;&]{3,200})/gi,
  },
  { sign: /pass:/, regex: /-pass(?:in|out)?[ \t]{1,4}["']?pass:(?<value>[^\s"'`]{1,200})/g },
  {
    sign: /htpasswd/,
    regex:
      /\bhtpasswd[ \t]{1,4}-\w{0,6}b\w{0,6}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}["']?(?<value>[^\s"'`]{1,200})/g,
  },
  { sign: /%/, regex: /\bsmbclient\b[^\n|;]{0,200}?\s-U[ \t]{0,3}["']?[^\s%"']{1,100}%(?<value>[^\s"'`]{1,200})/g },
  {
    sign: /AsPlainText/i,
    regex:
      /ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?["']?(?<value>[^\s"']{1,200})(?=["']?[ \t]{1,4}-AsPlainText)/gi,
  },
  // netrc: machine host login anna password hunter2
  {
    sign: /login|machine/,
    regex:
      /\blogin[ \t\r\n]{1,10}[^\s]{1,200}[ \t\r\n]{1,10}(?:account[ \t]{1,4}\S{1,100}[ \t\r\n]{1,10})?password[ \t\r\n]{1,10}["']?(?<value>[^\s"'`]{1,300})/g,
  },
  {
    sign: /machine|default/,
    regex: /\b(?:machine[ \t]{1,4}\S{1,200}|default)[ \t\r\n]{1,10}password[ \t]{1,10}["']?(?<value>[^\s"'`]{1,300})/g,
  },
  // pgpass: host:5432:database:anna:hunter2
  {
    sign: /:/,
    regex:
      /(?<![\w.*@/:-])(?:[\w.-]{1,100}|\*):(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:(?<value>[^\s:"'`]{1,200})(?=["'`\s<|]|$)/gm,
  },
  // Go: anna:hunter2@tcp(127.0.0.1:3306)/app
  { sign: /@(?:tcp|unix)\(/, regex: /(?<![\w.:-])[\w.-]{1,64}:(?<value>[^\s"'`@()]{1,200})(?=@(?:tcp|unix)\()/g },
  // chpasswd: echo anna:hunter2 | chpasswd
  {
    sign: /chpasswd/,
    regex: /["' ][\w.-]{1,64}:(?<value>[^\s"'`|]{1,200})(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd)/g,
  },
  // A token instead of a password: https://TOKEN@host
  { sign: /:\/\//, regex: /:\/\/(?<value>(?=[\w.-]{0,60}\d)(?=[\w.-]{0,60}[A-Za-z])[\w.~-]{20,300})(?=@)/g },
];

const SCHEME = /[A-Za-z][\w+.-]{0,30}:\/\//g;
const LONGEST = 600;

/** `scheme://user:password@host`: of any scheme, also where the password has an `@`, or there is no user. */
function* inAddresses(text: string): Generator<Span> {
  if (!text.includes('://')) return;
  let done = 0;
  for (const { 0: scheme, index } of text.matchAll(SCHEME)) {
    if (index < done) continue;
    const from = index + scheme.length;
    const whole = /^[^\s"'`<>\\|]*/.exec(text.slice(from, from + LONGEST))?.[0] ?? '';
    const found = passwordIn(whole, scheme);
    if (found)
      yield {
        start: from + found.start,
        end: from + found.end,
        kind: 'password',
        value: whole.slice(found.start, found.end),
      };
    done = from + (found?.end ?? 0);
  }
}

/** Addresses of pages have an `@` in their path, too; a password with a slash is one only where there is a port or a plain host behind it. */
function passwordIn(address: string, scheme: string): { readonly start: number; readonly end: number } | null {
  const authority = /^[^/?#]*/.exec(address)?.[0] ?? '';
  const isPage = /^(?:https?|file|wss?):/i.test(scheme);
  // Of several addresses in one word each has its own.
  const single = address.split(/[,;](?=[A-Za-z][\w+.-]{0,30}:\/\/)/)[0] ?? '';
  const part = authority.includes('@') || isPage ? authority : single;
  const end = part.lastIndexOf('@');
  const start = part.indexOf(':') + 1;
  if (end < 0 || start === 0 || start >= end) return null;
  // Behind the last `@` stands a host.
  if (!/^[\w.[\]:,%-]{1,}/.test(part.slice(end + 1)) || isPlaceholder(part.slice(start, end))) return null;
  return { start, end };
}
