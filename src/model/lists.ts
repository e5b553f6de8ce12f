/** Adds everything to a list. Spread into `push`, as many items as a log may hold are more arguments than the stack has room for. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The largest of many numbers, or `least` if none is larger. */
export function largest(numbers: Iterable<number>, least: number): number {
  let most = least;
  for (const number of numbers) if (number > most) most = number;
  return most;
}
