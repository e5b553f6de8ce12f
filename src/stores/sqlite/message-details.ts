import { MESSAGE_TYPES } from '../index-store.ts';
import { At, Bits, NONE, type PackedMessages, REF_WIDTH, TEXT_ID } from '../packed-rows.ts';
import { readUuid, UUID_BYTES } from '../uuid-bytes.ts';
import type { TextNumbers } from './index-names.ts';
import { NumberReader, type NumberWriter } from './number-bytes.ts';

/** A place in a file, which is told by its number. */
export interface NumberedRef {
  readonly file: number;
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
}

/**
 * What a message has beside its columns, as one value: each column takes time of its own, and room in every row. Files and names are told
 * by their numbers.
 */
export interface Details {
  readonly at: NumberedRef;
  readonly number: number;
  readonly nth: number;
  readonly kind: number;
  readonly tool: number | null;
  readonly uuid: string | null;
  readonly more: readonly NumberedRef[];
}

/** What the details of a message say about its id. Of a text follows how many bytes it has. */
const NO_ID = 0;
const UUID = 1;
const TEXT = 2;

/**
 * The details of the packed row whose numbers begin at `row`; its further places are those from `first` on. They begin with file, line,
 * number and type: sorted by them, messages are in the order of the log.
 */
export function packDetails(
  out: NumberWriter,
  rows: PackedMessages,
  row: number,
  first: number,
  file: TextNumbers,
  name: TextNumbers,
): Uint8Array {
  const { numbers, texts, uuids } = rows;
  const value = (at: number): number => numbers[row + at] as number;
  const count = value(At.more);
  const uuid = value(At.uuid);
  const text = uuid <= TEXT_ID ? Buffer.from(texts[TEXT_ID - uuid] as string) : null;
  out.begin(OWN_NUMBERS + count * REF_WIDTH, text?.length ?? UUID_BYTES);
  out.number(file.of(value(At.ref)));
  out.number(value(At.ref + 1));
  out.number(value(At.number) * MESSAGE_TYPES.length + (value(At.bits) & Bits.type));
  out.number(value(At.ref + 2));
  out.number(value(At.ref + 3));
  out.number(value(At.nth));
  out.number(name.of(value(At.kind)));
  out.number(value(At.tool) === NONE ? 0 : name.of(value(At.tool)));
  if (text) {
    out.number(TEXT);
    out.number(text.length);
    out.bytes(text);
  } else if (uuid !== NONE) {
    out.number(UUID);
    out.bytes(uuids.subarray(uuid * UUID_BYTES, (uuid + 1) * UUID_BYTES));
  } else if (count > 0) out.number(NO_ID);
  for (let i = 0; i < count; i++) packRef(out, rows, row, (first + i) * REF_WIDTH, file);
  return out.end();
}

/** A further place. In the file of the first one it is relative to that. */
function packRef(
  out: NumberWriter,
  { numbers, more }: PackedMessages,
  row: number,
  at: number,
  file: TextNumbers,
): void {
  const [own, line, offset] = [numbers[row + At.ref], numbers[row + At.ref + 1], numbers[row + At.ref + 2]] as Place;
  const [other, otherLine, otherOffset] = [more[at], more[at + 1], more[at + 2]] as Place;
  const isHere = other === own;
  out.number(isHere ? HERE : file.of(other));
  out.signed(isHere ? otherLine - line : otherLine);
  out.signed(isHere ? otherOffset - offset : otherOffset);
  out.number(more[at + 3] as number);
}

type Place = [file: number, line: number, offset: number];

const OWN_NUMBERS = 10;

/** In place of the number of a file. */
const HERE = 0;

export function unpackDetails(packed: Uint8Array): Details {
  const from = new NumberReader(packed);
  const own = unpackOwn(from);
  return { ...own, uuid: from.isAtEnd ? null : unpackId(from), more: unpackRefs(from, own.at) };
}

/** The kind and the tool of a message; without the rest it takes half the time. */
export const unpackNames = (packed: Uint8Array): Pick<Details, 'kind' | 'tool'> => unpackOwn(new NumberReader(packed));

function unpackOwn(from: NumberReader): Omit<Details, 'uuid' | 'more'> {
  const [file, line, numberAndType] = [from.number(), from.number(), from.number()];
  return {
    at: { file, line, offset: from.number(), bytes: from.number() },
    number: Math.floor(numberAndType / MESSAGE_TYPES.length),
    nth: from.number(),
    kind: from.number(),
    tool: from.number() || null,
  };
}

function unpackId(from: NumberReader): string | null {
  const kind = from.number();
  if (kind === NO_ID) return null;
  return kind === UUID ? readUuid(from.bytes(UUID_BYTES)) : Buffer.from(from.bytes(from.number())).toString();
}

function unpackRefs(from: NumberReader, at: NumberedRef): NumberedRef[] {
  const refs: NumberedRef[] = [];
  while (!from.isAtEnd) {
    const file = from.number();
    const [line, offset, bytes] = [from.signed(), from.signed(), from.number()];
    refs.push(
      file === HERE
        ? { file: at.file, line: at.line + line, offset: at.offset + offset, bytes }
        : { file, line, offset, bytes },
    );
  }
  return refs;
}
