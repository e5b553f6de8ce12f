/** Ids are mostly uuids: as 16 bytes they take less than half the room. */
export const UUID_BYTES = 16;
const UUID_LENGTH = 36;
const HYPHEN = 0x2d;

/** Whether it is one, as agents write them: in small letters. Otherwise what lies there afterwards says nothing. */
export function writeUuid(id: string, into: Uint8Array, at: number): boolean {
  if (id.length !== UUID_LENGTH) return false;
  let filled = at;
  for (let i = 0; i < UUID_LENGTH; ) {
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (id.charCodeAt(i++) !== HYPHEN) return false;
      continue;
    }
    const high = digitOf(id.charCodeAt(i++));
    const low = digitOf(id.charCodeAt(i++));
    if (high < 0 || low < 0) return false;
    into[filled++] = (high << 4) | low;
  }
  return true;
}

const digitOf = (code: number): number =>
  code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;

/** An id that is none comes back as it is. */
export function readUuid(packed: string | Uint8Array): string {
  if (typeof packed === 'string') return packed;
  const hex = Buffer.from(packed).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
