/** Measured on one user: 3,142 files with 1,239 MiB, median 105 KB, 99 % below 5.4 MB, the largest 87 MB. */
const MEAN = (1239 * 1048576) / 3142;

/** Logarithm of the size at a standard normal deviation; straight between the points. p90 is chosen so that the mean fits. */
const KNOTS: readonly (readonly [deviation: number, bytes: number])[] = [
  [-3.6, 1_500],
  [-1.28, 16_000],
  [0, 105_000],
  [1.2816, 660_000],
  [2.3263, 5_400_000],
  [3.605, 87_000_000],
];

/** Sizes of files, the largest first, that add up to `total`, evenly spread over the measured distribution: a small corpus has the same profile, without the largest files. */
export function fileSizes(total: number, count = Math.max(8, Math.round(total / MEAN))): number[] {
  const sizes: number[] = [];
  for (let i = count - 1; i >= 0; i--) sizes.push(sizeAt(deviation((i + 0.5) / count)));
  // What a small corpus lacks at the upper end is spread over all files.
  const sum = sizes.reduce((all, size) => all + size, 0);
  return sizes.map((size) => Math.round((size * total) / sum));
}

function sizeAt(z: number): number {
  for (let i = 1; i < KNOTS.length; i++) {
    const [x0, y0] = KNOTS[i - 1] as readonly [number, number];
    const [x1, y1] = KNOTS[i] as readonly [number, number];
    if (z <= x1 || i === KNOTS.length - 1) return y0 * (y1 / y0) ** ((z - x0) / (x1 - x0));
  }
  return 0;
}

/** How many standard deviations a share of all files lies below. */
function deviation(p: number): number {
  let low = -6;
  let high = 6;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (normal(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The normal distribution (Abramowitz and Stegun 26.2.17). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    0.39894228 *
    Math.exp((-x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}
