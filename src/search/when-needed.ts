/** A pattern of sets of signs takes a millisecond to make, and most that a program does looks for no word. */
export function whenNeeded(make: () => RegExp): () => RegExp {
  let made: RegExp | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
