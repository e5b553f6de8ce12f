import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinChecksums } from '../../src/stores/sqlite/join-checksums.ts';

test('checksums of pieces make that of the whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.uint8Array({ maxLength: 3000 }), (first, second) => {
      const whole = crc32(Buffer.concat([first, second]));
      expect(joinChecksums(crc32(first), crc32(second), second.length)).toBe(whole);
    }),
  );
});
