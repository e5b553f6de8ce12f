/** Dates as the seed has them; inside we count milliseconds. */
export const atTime = (time: number): Date => new Date(time);
