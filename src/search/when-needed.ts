/** A pattern of sets of signs takes up to a millisecond to make, and most threads and commands never look for a word. */
export function whenNeeded(make: () => RegExp): () => RegExp {
  let made: RegExp | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
