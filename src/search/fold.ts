import { whenNeeded } from './when-needed.ts';

/** Text as it is compared: without case and accents. CJK text is only composed. */
export interface Folded {
  readonly text: string;
  /** For each unit of it, and for its end, where it comes from; null: from the same place. Made when somebody asks. */
  readonly from: Int32Array | null;
}

export const CJK = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]&&[\p{L}\p{N}\p{M}]]`;

/** A letter with its accents, the parts of one Hangul syllable, or anything else beyond ASCII. */
const CLUSTER =
  /\p{ASCII}\p{M}+|[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6]+[\u11a8-\u11ff\ud7cb-\ud7fb]*|\P{ASCII}\p{M}*/gu;
/** Whether a text begins with CJK. */
export const cjk = whenNeeded(() => new RegExp(`^${CJK}`, 'v'));
const otherMark = whenNeeded(() => new RegExp(String.raw`[\p{M}--${CJK}]`, 'gv'));
// biome-ignore lint/suspicious/noControlCharactersInRegex: all that is ASCII; faster than \P{ASCII}
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** All that stands together, with the letter that an accent may belong to. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all that is ASCII
const STRETCH = /[\u0000-\u007f]?[^\u0000-\u007f]+/g;

export const fold = (text: string): string =>
  BEYOND_ASCII.test(text) ? text.replace(STRETCH, foldStretch).toLowerCase() : text.toLowerCase();

/** A text has the same few signs again and again. */
const known = new Map<string, string>();
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 8;

function foldStretch(stretch: string): string {
  const before = known.get(stretch);
  if (before !== undefined) return before;
  const folded = stretch.replace(CLUSTER, foldCluster);
  if (stretch.length > LONGEST_KNOWN) return folded;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(stretch, folded);
  return folded;
}

function foldCluster(cluster: string): string {
  if (cjk().test(cluster)) return cluster.normalize('NFC').replace(otherMark(), '');
  return cluster
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ');
}

/** The same, with the places; `spaces: 'one'` makes one space of every run of white space. */
export function foldWithPlaces(text: string, spaces: 'kept' | 'one' = 'kept'): Folded {
  const isOne = spaces === 'one';
  const folded = isOne ? fold(text.replace(UNEVEN, ' ')) : fold(text);
  let from: Int32Array | null | undefined;
  return {
    text: folded,
    get from() {
      if (from === undefined)
        from =
          !BEYOND_ASCII.test(text) && folded.length === text.length
            ? null
            : placesIn(text, isOne ? spacesOrCluster() : CLUSTER);
      return from;
    },
  };
}

/** White space that is not one space already. */
const UNEVEN = /\s{2,}|[^\S ]/g;
const spacesOrCluster = whenNeeded(() => new RegExp(`\\s+|${CLUSTER.source}`, 'gu'));

function placesIn(text: string, pattern: RegExp): Int32Array {
  const from: number[] = [];
  let done = 0;
  const copy = (end: number): void => {
    for (; done < end; done++) from.push(done);
  };
  for (const { 0: found, index } of text.matchAll(pattern)) {
    copy(index);
    const length = /^\s/.test(found) ? 1 : foldCluster(found).length;
    for (let i = 0; i < length; i++) from.push(index);
    done = index + found.length;
  }
  copy(text.length);
  from.push(text.length);
  return Int32Array.from(from);
}

/** Where a stretch of folded text lies in the text it was made of. */
export function placeOf({ from }: Folded, start: number, end: number): [start: number, end: number] {
  if (!from) return [start, end];
  const last = from[Math.max(start, end - 1)] ?? 0;
  let after = end;
  while (after < from.length - 1 && from[after] === last) after++;
  return [from[start] ?? 0, from[after] ?? 0];
}
