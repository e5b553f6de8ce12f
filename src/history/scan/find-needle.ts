import { CJK, type Clause, fold, type Pattern, type Wanted } from '../../search/index.ts';

/** Text of which a line of a log must have a piece before it is worth parsing. */
export interface Needle {
  readonly pieces: readonly string[];
  /** Lines that may match although no piece is in them: with letters that differ by an accent, or (Kelvin, long s) by case only. */
  readonly besides: 'none' | 'case' | 'accents';
}

/** Null: any line may match. */
export function findNeedle({ clause, pattern }: Wanted): Needle | null {
  const exact = pattern ? patternPiece(pattern) : null;
  if (pattern && exact !== null) return { pieces: [exact], besides: besidesOf(pattern) };
  const pieces = clause ? clausePieces(clause) : null;
  return pieces && { pieces, besides: 'accents' };
}

const besidesOf = ({ as, text }: Pattern): Needle['besides'] =>
  as === 'regex' && text.startsWith('(?i)') ? 'case' : 'none';

/** Of what must all be there the part that is hardest to find. */
function clausePieces(clause: Clause): readonly string[] | null {
  switch (clause.as) {
    case 'and': {
      const all = clause.of.flatMap((part) => {
        const pieces = clausePieces(part);
        return pieces ? [pieces] : [];
      });
      return all.sort((a, b) => shortest(b) - shortest(a))[0] ?? null;
    }
    case 'or': {
      const all = clause.of.map(clausePieces);
      return all.some((pieces) => pieces === null) ? null : all.flatMap((pieces) => pieces ?? []);
    }
    case 'word':
    case 'phrase': {
      const piece = longestPiece(fold(clause.text), FOLDED);
      return piece === null ? null : [piece];
    }
    case 'filter': {
      // The name of a file stands in the call that names it.
      const { filter } = clause;
      const name = filter.name === 'file' ? (/[^/\\*]*\.[^/\\*]*$/.exec(filter.value)?.[0] ?? '') : '';
      const piece = longestPiece(fold(name), FOLDED);
      return piece === null ? null : [piece];
    }
    default:
      return null;
  }
}

const shortest = (pieces: readonly string[]): number => Math.min(...pieces.map(weightOf));

function patternPiece({ as, text }: Pattern): string | null {
  const literal = as === 'substring' ? text : literalIn(text.replace(/^\(\?i\)/, ''));
  return literal === null ? null : longestPiece(literal, EXACT);
}

/** What JSON writes as it is: neither quotes, backslashes, slashes nor controls. White space may have been another before folding. */
const FOLDED = new RegExp(String.raw`[!#-.0-\[\]-~]+|${CJK}+`, 'gv');
const EXACT = new RegExp(String.raw`[ !#-.0-\[\]-~]+|${CJK}+`, 'gv');

const longestPiece = (text: string, plain: RegExp): string | null =>
  (text.match(plain) ?? []).sort((a, b) => weightOf(b) - weightOf(a))[0] ?? null;

/** A CJK character is three bytes, and rare. */
const weightOf = (piece: string): number => (/^\p{ASCII}/u.test(piece) ? piece.length : piece.length * 3);

/** The longest text that everything has which an expression matches; null when that is hard to say. */
function literalIn(source: string): string | null {
  if (/\\[xucpPk\d]/.test(source)) return null;
  const literals: string[] = [];
  let literal = '';
  const end = (): void => {
    literals.push(literal);
    literal = '';
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '|') return null;
    if (char === '\\') {
      const next = source[++at] ?? '';
      if (/[a-z]/i.test(next)) end();
      else literal += next;
    } else if (char === '[' || char === '(') {
      end();
      at = closing(source, at);
    } else if (char === '?' || char === '*' || char === '{') {
      // What may be missing is no part of it.
      literal = literal.slice(0, -1);
      end();
      if (char === '{') at = Math.max(at, source.indexOf('}', at));
    } else if (/[.^$+]/.test(char)) end();
    else literal += char;
  }
  end();
  return literals.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** Where a class or a group ends. */
function closing(source: string, start: number): number {
  let depth = 0;
  let isClass = false;
  for (let at = start; at < source.length; at++) {
    const char = source[at];
    if (char === '\\') at++;
    else if (isClass) isClass = char !== ']';
    else if (char === '[') isClass = true;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    if (depth === 0 && !isClass) return at;
  }
  return source.length;
}
