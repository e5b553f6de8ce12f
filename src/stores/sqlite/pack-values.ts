import type { LineRef } from '../../model/index.ts';

/** How values lie in columns, where the plain text would take twice the room. */

/** A uuid as its 16 bytes; any other id as it is. */
export function packId(id: string): string | Uint8Array {
  if (id.length !== UUID_LENGTH) return id;
  const bytes = new Uint8Array(UUID_BYTES);
  let filled = 0;
  for (let at = 0; at < UUID_LENGTH; ) {
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (id.charCodeAt(at++) !== HYPHEN) return id;
      continue;
    }
    const high = digitOf(id.charCodeAt(at++));
    const low = digitOf(id.charCodeAt(at++));
    if (high < 0 || low < 0) return id;
    bytes[filled++] = (high << 4) | low;
  }
  return bytes;
}

const UUID_LENGTH = 36;
const UUID_BYTES = 16;
const HYPHEN = 0x2d;

/** Of a hexadecimal digit as uuids have it, in small letters. */
const digitOf = (code: number): number =>
  code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;

export function unpackId(packed: string | Uint8Array): string {
  if (typeof packed === 'string') return packed;
  const hex = Buffer.from(packed).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Places as numbers in one text; `fileNumber` 0 is the file of the row itself. */
export function packRefs(refs: readonly LineRef[], at: LineRef, numberOf: (file: string) => number): string | null {
  if (refs.length === 0) return null;
  return refs
    .map(({ file, line, offset, bytes }) =>
      file === at.file
        ? `${line - at.line},${offset - at.offset},${bytes}`
        : `${line},${offset},${bytes},${numberOf(file)}`,
    )
    .join(' ');
}

export function unpackRefs(packed: string | null, at: LineRef, idOf: (file: number) => string): LineRef[] {
  if (packed === null) return [];
  return packed.split(' ').map((text) => {
    const [line = 0, offset = 0, bytes = 0, file] = text.split(',').map(Number);
    return file === undefined
      ? { file: at.file, line: at.line + line, offset: at.offset + offset, bytes }
      : { file: idOf(file), line, offset, bytes };
  });
}

/** Equal texts for equal values: the order in which fields were set says nothing. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
