/** The checksum (as of `crc32`) of two pieces one after the other, from that of each: to read the bytes again takes a hundred times as long. */
export function joinChecksums(first: number, second: number, secondLength: number): number {
  let shift = ONE;
  let power = 3; // 2³ bits are a byte.
  for (let length = secondLength; length > 0; length = Math.floor(length / 2), power++)
    if (length % 2 === 1) shift = multiply(powerOfTwo(power), shift);
  return (multiply(shift, first) ^ second) >>> 0;
}

// Polynomials over two elements, the highest bit for x⁰.
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;

/** x to the power of 2ⁿ, as far as it was needed. */
const powers: number[] = [0x40000000];

function powerOfTwo(n: number): number {
  for (let i = powers.length; i <= n; i++) powers.push(multiply(powers[i - 1] as number, powers[i - 1] as number));
  return powers[n] as number;
}

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product;
}
