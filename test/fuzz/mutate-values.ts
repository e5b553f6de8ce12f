import type { Random } from '../../bench/generate/random.ts';
import { payloads } from '../views/html/payloads.ts';
import type { Draft, DraftFile } from './draft.ts';
import type { Mutation } from './mutate-lines.ts';

/** A place in the JSON of a line. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** With a line that is a JSON object; what is put in as `raw` is written as it is. */
const inValue =
  (change: (places: readonly Place[], random: Random, draft: Draft, raw: (text: string) => string) => void): Mutation =>
  (draft, random) => {
    const files = draft.files.filter(({ lines }) => lines.length > 0);
    if (files.length === 0) return;
    const file = random.pick(files);
    const at = random.below(file.lines.length);
    const line = objectOf(file.lines[at]);
    if (!line) return;
    const raws: string[] = [];
    const raw = (text: string): string => `${MARK}${raws.push(text) - 1}`;
    change(placesIn(line), random, draft, raw);
    const text = write(line).replace(RAW, (_, number: string) => raws[Number(number)] ?? 'null');
    file.lines[at] = Buffer.from(text);
  };

const MARK = '\u0001raw';
const RAW = /"\\u0001raw(\d+)"/g;

const objectOf = (line: Buffer | undefined): Record<string, unknown> | null => {
  try {
    const value = JSON.parse(line?.toString() ?? '');
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
};

/** A line that was made deep before stays as it is. */
function write(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '{}';
  }
}

function placesIn(line: Record<string, unknown>): Place[] {
  const places: Place[] = [];
  const waiting: object[] = [line];
  for (let holder = waiting.pop(); holder; holder = waiting.pop())
    for (const [key, value] of Object.entries(holder)) {
      places.push({ holder: holder as Record<string, unknown>, key });
      if (typeof value === 'object' && value !== null) waiting.push(value);
    }
  return places;
}

const put = ({ holder, key }: Place, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
};

const ANY: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e300,
  2 ** 53,
  '',
  ' ',
  [],
  {},
  [[]],
  [null],
  { type: 'text' },
  { type: 'tool_use' },
  { id: 7 },
  '__proto__',
  'constructor',
  'toString',
  '\0',
  '\ud800',
  'x'.repeat(5000),
  ['a', 'b'],
  { a: { b: 1 } },
];

const setAny = inValue((places, random) => {
  const place = random.pick(places);
  if (place) put(place, random.pick(ANY));
});

const remove = inValue((places, random) => {
  const place = random.pick(places);
  if (place) delete place.holder[place.key];
});

const renameKey = inValue((places, random) => {
  const place = random.pick(places);
  if (!place) return;
  const value = place.holder[place.key];
  delete place.holder[place.key];
  put(
    { ...place, key: random.pick(['__proto__', 'constructor', '', 'type', 'content', 'text', 'id', `${place.key}x`]) },
    value,
  );
});

const addKey = inValue((places, random) => {
  const place = random.pick(places);
  if (place)
    put(
      {
        ...place,
        key: random.pick([
          '__proto__',
          'toString',
          'isSidechain',
          'isMeta',
          'agentId',
          'toolUseResult',
          'isCompactSummary',
          'subtype',
          'text',
        ]),
      },
      random.pick(ANY),
    );
});

/** One line says what another says under the same name: a parent, a call, a session, a time, a type. */
const borrow = inValue((places, random, draft) => {
  const wanted = places.filter(({ holder, key }) => ID.test(key) && !isObject(holder[key]));
  const place = random.pick(wanted.length > 0 ? wanted : places);
  const other = place && randomLine(draft, random);
  const found = other
    ? placesIn(other).filter(({ key, holder }) => alike(key, place.key) && !isObject(holder[key]))
    : [];
  const taken = random.pick(found);
  if (taken) put(place, taken.holder[taken.key]);
});

const ID = /id$|uuid$|^type$|^role$|^name$|timestamp|^subtype$|operation/i;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const kindOf = (key: string): string => (/uuid|^id$|parent|leaf|target/i.test(key) ? 'id' : key);
const alike = (a: string, b: string): boolean => kindOf(a) === kindOf(b);

function randomLine({ files }: Draft, random: Random): Record<string, unknown> | null {
  const file: DraftFile = random.pick(files);
  return objectOf(file.lines[random.below(Math.max(1, file.lines.length))]);
}

/** It hangs on itself, or on what hangs on it. */
const ring = inValue((places, random, draft) => {
  const parent = places.find(({ key }) => key === 'parentUuid' || key === 'parentId' || key === 'logicalParentUuid');
  const own = parent?.holder.uuid ?? parent?.holder.id;
  const others = draft.files.flatMap(({ lines }) => lines.slice(-20).map(objectOf));
  const child = others.find((line) => line && (line.parentUuid ?? line.parentId) === own);
  if (parent) put(parent, random.chance(0.4) ? own : (child?.uuid ?? child?.id ?? own));
});

const TIMES = [
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '-271821-04-20T00:00:00.000Z',
  'now',
  '2026-13-45',
  0,
  -1,
  1e20,
  '2026-01-01T00:00:00+14:00',
];

const setTime = inValue((places, random) => {
  const place = places.find(({ key }) => key === 'timestamp') ?? random.pick(places);
  if (place) put(place, random.pick(TIMES));
});

const nest = inValue((places, random, _draft, raw) => {
  const place = random.pick(places);
  const levels = random.pick([40, 600, 5000, 30_000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['{"content":[', ']}'],
    ['[{"type":"text","text":', '}]'],
  ] as const);
  if (place) put(place, raw(`${open.repeat(levels)}1${close.repeat(levels)}`));
});

const widen = inValue((places, random) => {
  const place = random.pick(places);
  if (place)
    put(
      place,
      Array.from({ length: random.between(10, 3000) }, () => place.holder[place.key]).slice(
        0,
        isObject(place.holder[place.key]) ? 40 : 3000,
      ),
    );
});

const ESCAPES = [
  '\x1b[31mred',
  '\x1b]0;title\x07',
  '\x1b]8;;http://evil.test/\x07link',
  '\x9b31m',
  '\u202eabc',
  '\u2066x',
  '\r\x1b[2K',
  '\x07',
  '\0',
  '\ud800',
  '\udc00x',
  '\u2028',
  '\ufeff',
  '```\n# h',
  '`'.repeat(40),
  '| a | b |\n|--|',
  '</script>',
  '=1+1',
];

/** What terminals, browsers and renderers of Markdown act on. */
const payload = inValue((places, random) => {
  const texts = places.filter(({ holder, key }) => typeof holder[key] === 'string');
  const place = random.pick(texts.length > 0 ? texts : places);
  if (!place) return;
  const evil = random.chance(0.5) ? random.pick(payloads) : random.pick(ESCAPES);
  put(place, random.chance(0.5) ? evil : `${place.holder[place.key]}${evil}`);
});

/** A key that no redacted form may show. Where somebody speaks: an id is not a secret. */
export const SECRET = `sk-ant-api03-${'Fuzz0123456789abcdef'.repeat(2)}`;

const secret = inValue((places, random) => {
  const texts = places.filter(({ holder, key }) => SPOKEN.test(key) && typeof holder[key] === 'string');
  const place = random.pick(texts);
  if (place) put(place, `${place.holder[place.key]} ${SECRET}`);
});

const SPOKEN =
  /^(text|content|thinking|command|stdout|stderr|prompt|description|summary|query|old_string|new_string|output|result)$/;

export const valueMutations: readonly Mutation[] = [
  setAny,
  setAny,
  remove,
  renameKey,
  addKey,
  borrow,
  borrow,
  borrow,
  ring,
  setTime,
  nest,
  widen,
  payload,
  payload,
  secret,
];
