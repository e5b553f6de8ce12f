import type { Random } from './random.ts';

const COMMON =
  `the to a is and in of it for this that with be on not file test use now run code are as line if will from add can
  check need error all function new one first let should which has when value name read only fix no by type same an so but have then
  output path there change return session update call list after each build src index data config where each once it's I'll here
  import const export string number null true false undefined async await class interface promise result message record option`
    .split(/\s+/)
    .filter((word) => word !== '');
const CONSONANTS = 'bcdfglmnprstvwkz';
const VOWELS = 'aeiou';
const SYLLABLES = CONSONANTS.length * VOWELS.length;
const CACHED = 1 << 17;
const cache = new Array<string | undefined>(CACHED);

/**
 * A word of an endless vocabulary. Ranks follow a Zipf–Mandelbrot law without an end, so the number of different words grows with the
 * length of the text (Heaps, exponent about 0.62): about 14,000 in 2 MB of text, 400,000 in 350 MB.
 */
export function anyWord(random: Random): string {
  const rank = Math.floor(30 * ((1 - random.next()) ** -(1 / 0.6) - 1));
  if (rank >= CACHED) return wordAt(Math.min(rank, 1e12));
  const known = cache[rank];
  if (known !== undefined) return known;
  const word = wordAt(rank);
  cache[rank] = word;
  return word;
}

/** Every rank has a word of its own; rarer ones are longer, and as in real logs many are camelCase, snake_case or numbers. */
function wordAt(rank: number): string {
  const common = COMMON[rank];
  if (common !== undefined) return common;
  const word = spell(rank - COMMON.length);
  const joined = COMMON[rank % COMMON.length] as string;
  switch (rank % 16) {
    case 0:
    case 5:
    case 9:
      return `${joined}${word[0]?.toUpperCase()}${word.slice(1)}`;
    case 3:
      return `${joined}_${word}`;
    case 7:
      return rank.toString(rank % 32 === 7 ? 10 : 16).padStart(4, '0');
    case 11:
      return rank % 176 === 11 ? `${word}é` : `${word[0]?.toUpperCase()}${word.slice(1)}`;
    default:
      return word;
  }
}

function spell(index: number): string {
  let word = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / SYLLABLES)) {
    const syllable = (rest - 1) % SYLLABLES;
    word += `${CONSONANTS[Math.floor(syllable / VOWELS.length)]}${VOWELS[syllable % VOWELS.length]}`;
  }
  return word;
}
