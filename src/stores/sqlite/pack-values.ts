import type { LineRef } from '../../model/index.ts';

/** How values lie in columns, where the plain text would take twice the room. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A uuid as its 16 bytes; any other id as it is. */
export const packId = (id: string): string | Uint8Array =>
  id.length === 36 && UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id;

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
