import type { Span } from './span.ts';

/** A secret that is known by its form alone. */
interface Shape {
  readonly kind: string;
  readonly regex: RegExp;
  /** Cheap test before the expression: without one of these nothing can match. */
  readonly signs: readonly string[];
  /** The number of the group that is replaced; the rest of the match stays. */
  readonly part: number;
}

/** `before`: what may not stand in front, so that no part of a longer word is taken. */
const shape = (kind: string, regex: RegExp, signs: readonly string[], part = 0): Shape => ({
  kind,
  regex,
  signs,
  part,
});

/** Every number of repetitions has a limit, and no two parts that follow each other take the same characters: the time is that of reading. */
const shapes: readonly Shape[] = [
  shape('anthropic-key', /\bsk-ant-[\w-]{10,300}/g, ['sk-ant-']),
  shape('openai-key', /(?<![\w-])sk-(?:(?:proj|svcacct|admin|or-v1|None)-|(?=[\w-]{0,60}[0-9A-Z]))[\w-]{20,300}/g, [
    'sk-',
  ]),
  shape('github-token', /\b(?:gh[pousr]_[A-Za-z0-9_.-]{20,600}|github_pat_[A-Za-z0-9_]{20,255})/g, [
    'gh',
    'github_pat_',
  ]),
  shape(
    'gitlab-token',
    /\b(?:gl(?:pat|ptt|dt|rt|rtr|cbt|ft|soat|imt|agent|ffct|oas)-[\w.-]{16,200}|GR1348941[\w-]{16,60})/g,
    ['gl', 'GR13'],
  ),
  shape('aws-key', /\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}\b/g, [
    'AKIA',
    'ASIA',
    'ABIA',
    'ACCA',
    'AROA',
    'AIDA',
  ]),
  shape('aws-key', /\bABSK[A-Za-z0-9+/]{40,300}={0,2}|\bbedrock-api-key-[A-Za-z0-9+/=_-]{20,2000}/g, [
    'ABSK',
    'bedrock-api-key-',
  ]),
  shape('google-key', /\bAIza[\w-]{30,60}/g, ['AIza']),
  shape('google-token', /\bya29\.[\w.-]{20,2000}/g, ['ya29.']),
  shape('google-token', /(?<![\w/])1\/\/0[\w-]{20,300}/g, ['1//0']),
  shape('google-secret', /\bGOCSPX-[\w-]{20,60}/g, ['GOCSPX-']),
  shape('azure-secret', /(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[\w~.-]{31,40}/g, ['Q~']),
  shape('slack-token', /\bxox[abceoprsx]-[\w%-]{10,300}|\bxox[ed]\.xox[bp]-[\w-]{10,300}|\bxapp-[\w-]{15,300}/g, [
    'xox',
    'xapp-',
  ]),
  shape(
    'webhook',
    /\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([\w/+-]{10,200})/g,
    ['hooks.slack'],
    1,
  ),
  shape('webhook', /\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/([\w/-]{20,200})/g, ['/webhooks/'], 1),
  shape('webhook', /\b[\w-]{1,60}\.webhook\.office\.com\/([\w/@.-]{20,300})/g, ['webhook.office.com'], 1),
  shape('stripe-key', /\b(?:[rsp]k_(?:live|test|prod)_[A-Za-z0-9]{8,300}|whsec_[A-Za-z0-9+/=]{16,200})/g, [
    'k_live_',
    'k_test_',
    'k_prod_',
    'whsec_',
  ]),
  shape('npm-token', /\bnpm_[A-Za-z0-9]{30,100}/g, ['npm_']),
  shape('pypi-token', /\bpypi-[\w-]{30,300}/g, ['pypi-']),
  shape('rubygems-key', /\brubygems_[a-f0-9]{40,80}/g, ['rubygems_']),
  shape('cargo-token', /\bcio[A-Za-z0-9]{32}\b/g, ['cio']),
  shape('nuget-key', /\boy2[a-z0-9]{43}\b/g, ['oy2']),
  shape('docker-token', /\bdckr_(?:pat|oat)_[\w-]{20,100}/g, ['dckr_']),
  shape('huggingface-token', /\b(?:hf|api_org)_[A-Za-z0-9]{30,100}/g, ['hf_', 'api_org_']),
  shape('replicate-token', /\br8_[A-Za-z0-9]{30,60}/g, ['r8_']),
  shape('groq-key', /\bgsk_[A-Za-z0-9]{30,100}/g, ['gsk_']),
  shape('xai-key', /\bxai-[A-Za-z0-9]{40,200}/g, ['xai-']),
  shape('perplexity-key', /\bpplx-[A-Za-z0-9]{30,100}/g, ['pplx-']),
  shape('fireworks-key', /\bfw_[A-Za-z0-9]{20,60}\b/g, ['fw_']),
  shape('cerebras-key', /\bcsk-[a-z0-9]{40,80}\b/g, ['csk-']),
  shape('nvidia-key', /\bnvapi-[\w-]{40,120}/g, ['nvapi-']),
  shape('tavily-key', /\btvly-[\w-]{20,100}/g, ['tvly-']),
  shape('langsmith-key', /\blsv2_(?:pt|sk)_[a-f0-9_]{30,100}/g, ['lsv2_']),
  shape('langfuse-key', /\b[sp]k-lf-[a-f0-9-]{30,60}/g, ['k-lf-']),
  shape('posthog-key', /\bph[cxs]_[A-Za-z0-9]{30,80}/g, ['phc_', 'phx_', 'phs_']),
  shape('sentry-token', /\bsntry[us]_[A-Za-z0-9+/=_-]{30,400}/g, ['sntry']),
  shape('sentry-dsn', /\bhttps:\/\/([a-f0-9]{32})(?::[a-f0-9]{32})?@/g, ['https://'], 1),
  shape('sendgrid-key', /\bSG\.[\w-]{16,64}\.[\w-]{16,100}/g, ['SG.']),
  shape('mailgun-key', /\bkey-[a-f0-9]{32}\b|\b[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}\b|\bpubkey-[a-f0-9]{32}\b/g, ['-']),
  shape('mailchimp-key', /\b[a-f0-9]{32}-us\d{1,2}\b/g, ['-us']),
  shape('brevo-key', /\bx(?:keysib|smtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16}\b/g, ['sib-']),
  shape('resend-key', /\bre_(?=\w{0,12}\d)[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,40}\b/g, ['re_']),
  shape('postman-key', /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g, ['PMAK-']),
  shape('twilio-key', /\b(?:SK|AC)[a-f0-9]{32}\b/g, ['SK', 'AC']),
  shape('telegram-token', /(?<![\w-])\d{8,10}:AA[\w-]{30,40}(?![\w-])/g, [':AA']),
  shape('discord-token', /(?<![\w.-])[MNO][A-Za-z\d_-]{22,30}\.[\w-]{6}\.[\w-]{25,45}(?![\w-])/g, ['.']),
  shape('facebook-token', /\bEAA[A-Za-z0-9]{40,400}/g, ['EAA']),
  shape('instagram-token', /\bIG(?:QV|AA)[A-Za-z0-9_-]{40,300}/g, ['IGQV', 'IGAA']),
  shape('twitter-token', /\bA{20,24}[A-Za-z0-9%]{30,200}/g, ['AAAAAAAAAAAAAAAAAAAA']),
  shape('shopify-token', /\bshp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}\b/g, ['shp']),
  shape('square-token', /\b(?:EAAA[\w-]{60}|sq0(?:atp|csp|idp)-[\w-]{20,60})/g, ['EAAA', 'sq0']),
  shape('paypal-token', /\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}\b/g, ['access_token$']),
  shape('grafana-token', /\bgl(?:sa|c)_[A-Za-z0-9+/=_-]{32,400}/g, ['glsa_', 'glc_']),
  shape('linear-key', /\blin_(?:api|oauth)_[A-Za-z0-9]{20,100}/g, ['lin_']),
  shape('figma-token', /\bfig[dour]_[\w-]{20,100}/g, ['figd_', 'figo_', 'figu_', 'figr_']),
  shape('notion-token', /\bntn_[A-Za-z0-9]{30,100}|\bsecret_(?=[A-Za-z]{0,42}\d)[A-Za-z0-9]{40,50}\b/g, [
    'ntn_',
    'secret_',
  ]),
  shape('airtable-token', /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/g, ['pat']),
  shape('asana-token', /\b[012]\/\d{10,18}(?:\/\d{10,18})?:[a-f0-9]{32}\b/g, ['/']),
  shape('atlassian-token', /\bAT(?:ATT3|CTT3|BB)[\w=+/.-]{20,400}/g, ['ATATT3', 'ATCTT3', 'ATBB']),
  shape('digitalocean-token', /\bdo[opr]_v1_[a-f0-9]{40,128}/g, ['_v1_']),
  shape('heroku-key', /\bHRKU-[\w-]{30,100}/g, ['HRKU-']),
  shape('cloudflare-key', /\bv1\.0-[a-f0-9]{24}-[a-f0-9]{100,200}\b|\bcf(?:ut|at|k)_[A-Za-z0-9]{30,80}/g, [
    'v1.0-',
    'cfut_',
    'cfat_',
    'cfk_',
  ]),
  shape('vercel-token', /\bverc?el_[\w-]{16,100}|\bvc[pkiar]_[A-Za-z0-9]{24,100}|\bvercel_blob_rw_\w{20,100}/g, [
    'ercel_',
    'vc',
  ]),
  shape('netlify-token', /\bnf[pcoub]_[A-Za-z0-9_]{30,60}/g, ['nf']),
  shape('flyio-token', /\bfm[12]r?_[A-Za-z0-9+/=_-]{40,2000}|\bfo1_[\w-]{40,60}/g, ['fm1', 'fm2', 'fo1_']),
  shape('render-key', /\brnd_[A-Za-z0-9]{24,60}/g, ['rnd_']),
  shape('supabase-key', /\bsb[ps]_[A-Za-z0-9]{30,60}|\bsb_(?:secret|publishable)_[\w-]{16,80}/g, [
    'sbp_',
    'sbs_',
    'sb_',
  ]),
  shape('planetscale-token', /\bpscale_(?:tkn|pw|oauth)_[\w=.-]{30,70}/g, ['pscale_']),
  shape('neon-key', /\bnapi_[a-z0-9]{40,80}\b/g, ['napi_']),
  shape('tailscale-key', /\btskey-[\w-]{16,120}/g, ['tskey-']),
  shape('vault-token', /\bhv[sbr]\.[\w-]{20,300}|(?<![\w.])s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w.])/g, [
    'hvs.',
    'hvb.',
    'hvr.',
    's.',
  ]),
  shape('terraform-token', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,90}/g, ['.atlasv1.']),
  shape('pulumi-token', /\bpul-[a-f0-9]{40}\b/g, ['pul-']),
  shape('doppler-token', /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}\b/g, ['dp.']),
  shape('onepassword-token', /\bops_eyJ[\w=-]{100,1500}|\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){2,5}[A-Z0-9]{5}\b/g, [
    'ops_eyJ',
    'A3-',
  ]),
  shape('databricks-token', /\bdapi[a-f0-9]{32}(?:-\d)?\b/g, ['dapi']),
  shape('snyk-token', /\bsnyk_(?:uat|sat)\.[\w.-]{20,300}/g, ['snyk_']),
  shape('sonar-token', /\bsq[apu]_[a-f0-9]{40}\b/g, ['sqa_', 'sqp_', 'squ_']),
  shape('newrelic-key', /\bNR(?:AK|JS|II|RA|AA)-[A-Za-z0-9-]{18,64}\b|\b[a-f0-9]{36}NRAL\b/g, ['NR']),
  shape('dynatrace-token', /\bdt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b/g, ['dt0']),
  shape('circleci-token', /\bCCIP(?:AT|RJ)_[\w-]{30,100}/g, ['CCIP']),
  shape('buildkite-token', /\bbk(?:ua|aj|ct|pt|at)_[A-Za-z0-9]{30,80}/g, ['bk']),
  shape('jfrog-key', /\bAKC[a-z0-9]{0,1}[A-Za-z0-9]{60,90}\b|\bcmVmd[A-Za-z0-9]{50,80}\b/g, ['AKC', 'cmVmd']),
  shape('age-key', /\bAGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]{1,20})-1?[A-Z0-9]{20,120}/g, ['AGE-']),
  shape('wallet-key', /\b[xyz]prv[A-Za-z0-9]{100,112}\b/g, ['prv']),
  shape('hash', /\$(?:apr1|1|2[abxy]|5|6|y|7|gy|argon2(?:id?|d))\$[./A-Za-z0-9$,=+]{20,300}/g, ['$']),
  shape(
    'jwt',
    /(?<![\w.-])ey[\w-]{8,4000}\.(?:ey[\w-]{2,8000}|[\w-]{0,1000}\.[\w-]{8,1000}\.[\w-]{16,8000})\.[\w-]{0,8000}/g,
    ['eyJ'],
  ),
  shape(
    'bearer',
    /\b(?:Bearer|Basic)[ \t]{1,4}((?=[\w.~+/-]{0,300}[0-9=])[\w.~+/=-]{12,4000})/gi,
    ['earer', 'asic', 'EARER', 'ASIC'],
    1,
  ),
  shape('bearer', /\b[Tt]oken[ \t]{1,4}((?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,2000})/g, ['oken '], 1),
  shape(
    'signature',
    /[?&;](?:sig|signature|hmac|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|key-pair-id|policy)=([^&\s"'<>#;]{8,3000})/gi,
    ['=', '='],
    1,
  ),
  shape(
    'secret',
    /[?&](?:key|code|auth)=((?=[^&\s"'<>#]{0,40}\d)[\w.~%+/=-]{16,3000})/gi,
    ['key=', 'code=', 'auth=', 'KEY='],
    1,
  ),
];

export function* findShapes(text: string): Generator<Span> {
  if (text.length < SHORTEST) return;
  for (const { kind, regex, signs, part } of shapes) {
    if (!signs.some((sign) => text.includes(sign))) continue;
    for (const match of text.matchAll(regex)) {
      const value = match[part];
      if (!value) continue;
      const start = match.index + (part === 0 ? 0 : match[0].lastIndexOf(value));
      yield { start, end: start + value.length, kind, value };
    }
  }
  yield* findKeyBlocks(text);
}

const BEGIN = /-{4,5} ?BEGIN ([A-Z0-9 ]{0,60})-{4,5}|PuTTY-User-Key-File-\d:|openssh-key-v1/g;
const IS_PRIVATE = /PRIVATE KEY|PGP MESSAGE|PuTTY|AGE ENCRYPTED/;
const END = /-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}|Private-MAC: ?[a-f0-9]{0,128}/g;
/** What a block is made of, where its end is missing. */
const BODY = /[A-Za-z0-9+/=\s\\:,.-]*/y;

/** Private keys, whole; of one that is cut off what is there. */
function* findKeyBlocks(text: string): Generator<Span> {
  if (!text.includes('BEGIN') && !text.includes('PuTTY')) return;
  const ends = [...text.matchAll(END)].map(({ 0: end, index }) => ({ index, end: index + end.length })).reverse();
  let done = 0;
  for (const { 0: begin, index } of text.matchAll(BEGIN)) {
    if (index < done || !IS_PRIVATE.test(begin)) continue;
    while ((ends.at(-1)?.index ?? Number.POSITIVE_INFINITY) < index) ends.pop();
    BODY.lastIndex = index + begin.length;
    const cutOff = index + begin.length + (BODY.exec(text)?.[0].length ?? 0);
    const end = ends.at(-1);
    done = end && end.index - index < LONGEST_KEY ? end.end : cutOff;
    yield { start: index, end: done, kind: 'private-key', value: text.slice(index, done) };
  }
}

const LONGEST_KEY = 30_000;
const SHORTEST = 12;
