/** One of several who answer together. */
export interface Portion {
  readonly index: number;
  readonly of: number;
}

/** The volumes that are one's own. All have about as many documents, and large ones stay where they are when small ones come and go. */
export function divideVolumes<Each extends { readonly number: number; readonly size: number }>(
  volumes: Iterable<Each>,
  { index, of }: Portion,
): Each[] {
  const sizes = new Array<number>(of).fill(0);
  const own: Each[] = [];
  for (const volume of [...volumes].sort((a, b) => b.size - a.size || a.number - b.number)) {
    const least = sizes.indexOf(Math.min(...sizes));
    sizes[least] = (sizes[least] as number) + volume.size;
    if (least === index) own.push(volume);
  }
  return own;
}
