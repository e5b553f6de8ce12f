import type { LineText, TouchedFile } from '../messages/index.ts';
import type { TermSpan } from '../search/index.ts';

/** A text of a line that was scanned. */
export interface ScannedText extends Pick<LineText, 'of' | 'call' | 'hasImage'> {
  /** Of a record's own: `sortsSaid`. */
  readonly sorts: number;
  readonly span: TermSpan | null;
  readonly files: readonly TouchedFile[];
}

/** What a line says of one kind about a call; `nth`: only if so many of that kind stand before it. */
export function findTexts(
  texts: readonly ScannedText[],
  of: LineText['of'],
  call: string | null,
  nth: number | null,
): readonly ScannedText[] {
  if (texts.length >= MANY) {
    const group = groupsOf(texts).get(of);
    if (nth === null) return group?.byCall.get(call) ?? NOTHING;
    const text = group?.all[nth];
    return text?.call === call ? [text] : NOTHING;
  }
  const [first] = texts;
  // Nearly always there is one.
  if (texts.length === 1) return first?.of === of && first.call === call && !nth ? texts : NOTHING;
  let before = 0;
  return texts.filter((text) => text.of === of && (nth === null || before++ === nth) && text.call === call);
}

/** So many texts in a line are found by their kind and their calls. */
export const MANY = 16;

const NOTHING: readonly never[] = [];

/** The texts of one kind in a line. */
interface Group {
  readonly all: readonly ScannedText[];
  readonly byCall: ReadonlyMap<string | null, readonly ScannedText[]>;
}

/** Of lines with thousands of calls: each of their messages would go through all of them. */
const GROUPS = new WeakMap<readonly ScannedText[], ReadonlyMap<LineText['of'], Group>>();

function groupsOf(texts: readonly ScannedText[]): ReadonlyMap<LineText['of'], Group> {
  let groups = GROUPS.get(texts);
  if (!groups) {
    const byKind = Map.groupBy(texts, ({ of }) => of);
    groups = new Map([...byKind].map(([of, all]) => [of, { all, byCall: Map.groupBy(all, ({ call }) => call) }]));
    GROUPS.set(texts, groups);
  }
  return groups;
}
