/** The entry of a thread, by its place below `src`: there in the sources, and at the same place in `dist`, where this file is part of a bundle. */
export function workerUrl(place: string): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL(`../${place}.worker.ts`, here);
  return new URL(`${here.slice(0, here.lastIndexOf('/dist/'))}/dist/${place}.worker.js`);
}
