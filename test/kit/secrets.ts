/** Something that must not leave the machine, in a text as it would stand in a log. */
export interface Planted {
  readonly what: string;
  readonly text: string;
  /** None of these may be left. */
  readonly secrets: readonly string[];
}

const A = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY';
const HEX = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
/** `n` letters and digits. */
const letters = (n: number): string => A.repeat(9).slice(0, n);
const hex = (n: number): string => HEX.repeat(4).slice(0, n);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Put together here, so that no scanner takes this file for a leak. */
const tokens: Readonly<Record<string, string>> = {
  anthropic: `sk-${'ant'}-api03-${letters(60)}`,
  openai: `sk-${letters(48)}`,
  'openai project': `sk-${'proj'}-${letters(60)}`,
  openrouter: `sk-${'or-v1'}-${hex(64)}`,
  deepseek: `sk-${hex(32)}`,
  'github classic': `gh${'p'}_${letters(36)}`,
  'github fine-grained': `github_${'pat'}_11ABCDE_${letters(60)}`,
  'github app': `gh${'s'}_${letters(36)}`,
  gitlab: `gl${'pat'}-${letters(20)}`,
  'gitlab runner': `gl${'rt'}-${letters(20)}`,
  'aws id': `AKI${'A'}${'ABCDEFGHIJ234567'}`,
  'google api': `AIz${'a'}${letters(35)}`,
  'google oauth': `ya29${'.'}${letters(60)}`,
  'google secret': `GOC${'SPX'}-${letters(28)}`,
  'google refresh': `1/${'/0'}${letters(40)}`,
  azure: `abc8${'Q~'}${letters(34)}`,
  'slack bot': `xox${'b'}-1234567890-${letters(24)}`,
  'slack app': `xap${'p'}-1-A012345-${letters(40)}`,
  'stripe live': `sk_${'live'}_${letters(24)}`,
  'stripe restricted': `rk_${'live'}_${letters(24)}`,
  'stripe webhook': `whs${'ec'}_${letters(32)}`,
  npm: `npm${'_'}${letters(36)}`,
  pypi: `pypi${'-'}AgEIcHlwaS5vcmc${letters(60)}`,
  rubygems: `rubygems${'_'}${hex(48)}`,
  docker: `dckr_${'pat'}_${letters(27)}`,
  atlassian: `ATAT${'T3'}xFfGF0${letters(60)}`,
  'notion new': `ntn${'_'}${letters(46)}`,
  'notion old': `secret${'_'}${letters(43)}`,
  vault: `hvs${'.'}${letters(90)}`,
  age: `AGE-SECRET${'-KEY'}-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}`,
  groq: `gsk${'_'}${letters(52)}`,
  xai: `xai${'-'}${letters(80)}`,
  replicate: `r8${'_'}${letters(37)}`,
  perplexity: `pplx${'-'}${letters(48)}`,
  huggingface: `hf${'_'}${letters(34)}`,
  tailscale: `tskey${'-'}auth-k1234567CNTRL-${letters(32)}`,
  supabase: `sbp${'_'}${hex(40)}`,
  vercel: `vercel${'_'}${letters(24)}`,
  databricks: `dap${'i'}${hex(32)}`,
  newrelic: `NRA${'K'}-${'ABCDEFGHJKMNPQRSTUVWXYZ2345'}`,
  discord: `MTA${letters(21)}.GhIjKl.${letters(38)}`,
  telegram: `123456789:${'AA'}${letters(33)}`,
  mailgun: `key${'-'}${hex(32)}`,
  sendgrid: `SG${'.'}${letters(22)}.${letters(43)}`,
  twilio: `SK${hex(32)}`,
  facebook: `EA${'A'}${letters(160)}`,
  shopify: `shp${'at'}_${hex(32)}`,
  grafana: `gls${'a'}_${letters(32)}_0a1b2c3d`,
  linear: `lin_${'api'}_${letters(40)}`,
  figma: `fig${'d'}_${letters(40)}`,
  digitalocean: `dop_${'v1'}_${hex(64)}`,
  heroku: `HRK${'U'}-${'AA0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9'}`,
  cloudflare: `v1.${'0'}-${hex(24)}-${hex(146)}`,
  airtable: `pa${'t'}${letters(14)}.${hex(64)}`,
  sentry: `sntry${'s'}_${letters(60)}`,
  postman: `PMA${'K'}-${hex(24)}-${hex(34)}`,
  doppler: `dp${'.'}pt.${letters(43)}`,
  netlify: `nf${'p'}_${letters(36)}`,
  planetscale: `pscale_${'tkn'}_${letters(43)}`,
  pulumi: `pul${'-'}${hex(40)}`,
  nvidia: `nvapi${'-'}${letters(64)}`,
  jwt: `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}zdWIiOiIxMjM0NTY3ODkwIn0.${letters(43)}`,
};

/** The core stands alone in no test of what stays readable. */
const WORD = 'Zq7hunter2';
const [USER, HOST] = ['dbuser', 'db.internal.corp'];

const block = (kind: string, end = kind): string =>
  `-----${'BEGIN'} ${kind}-----\nMIIEow${letters(60)}\n${letters(64)}\n-----${'END'} ${end}-----`;

const settings: readonly (readonly [what: string, text: string, secret?: string])[] = [
  ['an .env line', `DB_PASSWORD=${WORD}`],
  ['DB_PASS', `DB_PASS=${WORD}`],
  ['DB_PWD', `export DB_PWD=${WORD}`],
  ['a short password', 'MYSQL_PWD=q7!', 'q7!'],
  ['a value with a comma in quotes', `password = "${WORD},REST;and more"`, 'REST'],
  ['a value with a space', `"passphrase": "${WORD} REST"`, 'REST'],
  ['a value with an escaped quote', `{"password":"ab\\"${WORD}"}`],
  ['Pwd in a connection string', `Server=a;Uid=b;Pwd=${WORD};Database=c`],
  [
    'AccountKey',
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${base64(letters(48))};EndpointSuffix=x`,
    base64(letters(48)),
  ],
  ['SharedAccessKey', `Endpoint=sb://a/;SharedAccessKeyName=Root;SharedAccessKey=${letters(43)}=`, letters(43)],
  ['a header with an API key', `X-Api-Key: ${WORD}`],
  ['a bearer header', `Authorization: Bearer ${WORD}`],
  ['a basic header', `curl -H 'Authorization: Basic ${base64(`anna:${WORD}`)}'`, base64(`anna:${WORD}`)],
  ['a header with its token alone', `Authorization: ${WORD}`],
  ['a cookie', `Cookie: session=${WORD}; theme=dark`],
  ['cookies that are set', `Set-Cookie: sid=${WORD}; HttpOnly; Path=/`],
  ['a long option', `tool --password ${WORD} --verbose`],
  ['a long option with a sign', `tool --api-key=${WORD}`],
  ['a list of arguments', `["tool", "--password", "${WORD}"]`],
  ['mysql -p', `mysql -u root -p${WORD} app`],
  ['sshpass', `sshpass -p '${WORD}' ssh host`],
  ['redis-cli', `redis-cli -h r -a ${WORD} ping`],
  ['curl -u', `curl -s -u admin:${WORD} https://a.b/c`],
  ['docker login', `docker login -u bot -p ${WORD} registry.io`],
  ['openssl', `openssl rsa -passin pass:${WORD} -in k.pem`],
  ['a passphrase', 'passphrase: correct zebra battery staple', 'zebra'],
  ['a password in YAML', `db:\n  user: app\n  password: ${WORD}`],
  ['a password in the next line', `"password":\n  "${WORD}"`],
  ['a block of YAML', `password: |\n  ${WORD}\nother: x`],
  ['netrc', `machine api.corp login ${USER} password ${WORD}`],
  ['netrc over lines', `machine api.corp\n  login ${USER}\n  password ${WORD}`],
  ['pgpass', `${HOST}:5432:app:${USER}:${WORD}`],
  ['npmrc', `//registry.npmjs.org/:_authToken=${WORD}`],
  ['npmrc with a login', `_auth=${base64(`bot:${WORD}`)}`, base64(`bot:${WORD}`)],
  ['docker settings', `{"auths":{"r.io":{"auth":"${base64(`bot:${WORD}`)}"}}}`, base64(`bot:${WORD}`)],
  ['kubectl settings', `    client-key-data: ${base64(letters(90))}`, base64(letters(90))],
  ['a SAS address', `https://a.blob.core.windows.net/c?sv=2022&sig=${letters(40)}%3D&se=x`, letters(40)],
  ['an address that S3 signed', `https://b.s3.amazonaws.com/k?X-Amz-Signature=${hex(64)}&x=1`, hex(64)],
  ['a Slack webhook', `https://hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/${letters(24)}`, letters(24)],
  ['a Discord webhook', `https://discord.com/api/webhooks/123456789012345678/${letters(68)}`, letters(68)],
  ['an address with a password', `postgres://${USER}:${WORD}@${HOST}:5432/app`],
  ['a password with an @', `postgres://${USER}:p@${WORD}@${HOST}/app`],
  ['a password without a user', `redis://:${WORD}@${HOST}:6379`],
  ['a scheme nobody knows', `foo+bar://${USER}:${WORD}@${HOST}/x`],
  ['a password with a slash', `amqp://${USER}:a/${WORD}@${HOST}:5672/v`],
  ['a token instead of a user', `https://${letters(40)}@dev.azure.com/o/p`, letters(40)],
  ['a data source of Go', `${USER}:${WORD}@tcp(127.0.0.1:3306)/app`],
  ['an AWS secret', `aws_secret_access_key = ${letters(40)}`, letters(40)],
  ['aws configure', `aws configure set aws_secret_access_key ${letters(40)}`, letters(40)],
  ['XML', `<password>${WORD}</password>`],
  ['an XML attribute', `<add key="DbPassword" value="${WORD}"/>`],
  ['a list of variables', `- name: DB_PASSWORD\n  value: ${WORD}`],
  ['a list of variables in JSON', `[{"name":"DB_PASSWORD","value":"${WORD}"}]`],
  ['an assignment', `os.environ["API_KEY"] = "${WORD}"`],
  ['an object', `const config = { clientSecret: '${WORD}' };`],
  ['a hash of Ruby', `:password => "${WORD}"`],
  ['Java properties', `spring.datasource.password=${WORD}`],
  ['a Dockerfile', `ENV API_TOKEN ${WORD}`],
  ['a query', `https://a.b/c?api_key=${WORD}&x=1`],
  ['escaped JSON', `{\\"user\\":\\"a\\",\\"password\\":\\"${WORD}\\"}`],
  ['JSON escaped twice', `{\\\\\\"password\\\\\\":\\\\\\"${WORD}\\\\\\"}`],
  ['a line that goes on', `tool --password \\\n  ${WORD}`],
  ['a value that goes on', `API_TOKEN=ab\\\n${WORD}`],
  ['colour in a name', `\u001b[32mDB_\u001b[1mPASS\u001b[0mWORD\u001b[0m=${WORD}`],
  ['colour in a value', `DB_PASSWORD=Zq7\u001b[31mhunter2`, 'hunter2'],
  ['characters without a width', `pass\u200bword: Zq7\u200bhunter2`, 'hunter2'],
  ['escapes of colour', `\\u001b[32mapi_key\\u001b[0m=${WORD}`],
  ['entities', `&quot;password&quot;: &quot;${WORD}&quot;`],
  ['base64 of an .env', base64(`PORT=3000\nDB_PASSWORD=${WORD}\n`)],
  ['base64 over lines', base64(`PORT=3000\n${'X=1\n'.repeat(30)}DB_PASSWORD=${WORD}\n`).replace(/.{76}/g, '$&\n')],
  ['an RSA key', block(`RSA ${'PRIVATE'} KEY`), letters(40)],
  ['an SSH key', block(`OPENSSH ${'PRIVATE'} KEY`), letters(40)],
  ['a PGP key', block(`PGP ${'PRIVATE'} KEY BLOCK`), letters(40)],
  ['a key in JSON', JSON.stringify({ private_key: block(`${'PRIVATE'} KEY`) }), letters(40)],
  ['a key that is cut off', block(`EC ${'PRIVATE'} KEY`).split('-----END')[0] ?? '', letters(40)],
  ['a hash of a password', `anna:$${'6'}$salt$${letters(60)}:19000:0`, letters(60)],
];

const secretOf = (text: string): string => {
  const encoded = /^[A-Za-z0-9+/=\n]{40,}$/.test(text) ? text.slice(0, 30) : WORD;
  return encoded;
};

/** Keys and passwords. */
export const plantedSecrets: readonly Planted[] = [
  ...Object.entries(tokens).map(
    ([what, token]): Planted => ({ what: `a token of ${what}`, text: `use ${token} here`, secrets: [token] }),
  ),
  ...settings.map(([what, text, secret = secretOf(text)]): Planted => ({ what, text, secrets: [secret] })),
];

const NAME = 'annaschmidt';
/** Who somebody is. All lines belong to one person, whose home is named once. */
export const plantedNames: readonly Planted[] = [
  ['ls -la', `drwxr-xr-x@ 10 ${NAME}  staff  320 Jan  1 10:00 src`],
  ['ssh', `ssh ${NAME}@build`],
  ['a variable', `USER=${NAME}`],
  ['a tilde', `cd ~${NAME}/x`],
  ['a branch', `git switch ${NAME}/fix-login`],
  ['a home on Linux', `/home/${NAME}/app/a.ts`],
  ['a home on a Mac', `/Users/${NAME}/app`],
  ['a home on Windows', `C:\\Users\\${NAME}\\app`],
  ['small letters', `c:/users/${NAME}/app`],
  ['an encoded address', `file=%2Fhome%2F${NAME}%2Fapp`],
  ['the folder of a project', `-home-${NAME}-app`],
  ['a machine', `${NAME}-laptop.local`],
  ['a mail address', `mail ${NAME}@corp.example`],
  ['a local one', `${NAME}@localhost`],
  ['capitals', `Dear ${NAME.toUpperCase()}!`],
].map(([what = '', text = '']) => ({ what, text, secrets: [NAME, NAME.toUpperCase()] }));
export const HOME_NAME = NAME;

/** What stands in one place of a log: all of it, each apart from the next. */
export const everythingPlanted: string = [...plantedSecrets, ...plantedNames].map(({ text }) => text).join('\n\n#\n\n');

const PNG = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ${letters(80)}`;
const PDF = `JVBERi0xLjQKJcOkw7zDtsOf${letters(80)}`;
const WAV = `UklGRiQAAABXQVZFZm10${letters(80)}`;
/** Not of a known kind: only what stands around it says that it is a picture. */
const RAW = `Zm9vYmFy${letters(90).split('').reverse().join('')}`;
const picture = { type: 'base64', media_type: 'image/png', data: PNG };

/** Pictures, sound and documents in the forms that agents and their tools write. */
export const plantedMedia: readonly object[] = [
  { type: 'image', source: picture },
  { type: 'image', source: { ...picture, data: RAW } },
  { type: 'image', data: PNG, mimeType: 'image/png' },
  { type: 'image', data: RAW, mimeType: 'image/png' },
  { type: 'audio', data: WAV, mimeType: 'audio/wav' },
  { type: 'audio', data: RAW, mimeType: 'audio/L16' },
  { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: PDF } },
  { type: 'resource', resource: { uri: 'file:///a', blob: RAW } },
  { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
  { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: RAW } },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
  { type: 'input_audio', input_audio: { data: RAW, format: 'pcm16' } },
  { type: 'text', text: `<img src="data:image/png;base64,${RAW}"> and ${PNG}` },
];

/** What a tool says beside its output. */
export const mediaDetail = {
  file: { base64: RAW, type: 'image/jpeg', originalSize: 9 },
  icon: `data:image/webp;base64,${RAW}`,
  buffer: { type: 'Buffer', data: [137, 80, 78, 71, 13, 10, 26, 10, 201, 202, 203] },
};
const MEDIA: readonly string[] = [...[PNG, PDF, WAV, RAW].map((data) => data.slice(0, 44)), '201,202,203', '201, 202'];

/** Names and values of JSON, `deep` levels down. */
export function secretsInJson(deep: number): object {
  const found = {
    password: WORD,
    apiKey: WORD,
    client_secret: WORD,
    'X-Api-Key': WORD,
    token: `t-${WORD}`,
    pin: { password: 83_114_422 },
    headers: { Authorization: `Bearer ${WORD}`, Cookie: `sid=${WORD}; a=b`, 'Set-Cookie': [`sid=${WORD}`] },
    env: [
      { name: 'DB_PASSWORD', value: WORD },
      { key: 'API_TOKEN', value: { value: WORD } },
    ],
    list: ['tool', '--password', WORD],
    raw: ['Authorization', `${WORD}`, 'Host', 'a.b'],
    url: `postgres://${USER}:${WORD}@${HOST}/app`,
    auth: base64(`bot:${WORD}`),
    kind: 'Secret',
    data: { any: WORD },
    passwords: [WORD],
    text: JSON.stringify({ password: WORD, text: JSON.stringify({ password: WORD }) }),
    [`/home/${NAME}/x`]: NAME,
    owner: NAME,
  };
  let value: object = found;
  for (let i = 0; i < deep; i++) value = i % 2 === 0 ? { in: value } : [value];
  return value;
}

/** Everything of which nothing may be left, wherever it was planted. */
export const leaksIn = (text: string): string[] => [
  ...new Set([
    ...[...plantedSecrets, ...plantedNames].flatMap(({ what, secrets }) =>
      secrets.some((secret) => text.includes(secret)) ? [what] : [],
    ),
    ...[WORD, '83114422', base64(`bot:${WORD}`), ...MEDIA].filter((each) => text.includes(each)),
  ]),
];
