/** The entry of a thread: beside this file in the sources; at its own place in `dist`, where this file is part of a bundle. */
export function workerUrl(name: string): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL(`./${name}.worker.ts`, here);
  return new URL(`${here.slice(0, here.lastIndexOf('/dist/'))}/dist/ingest/${name}.worker.js`);
}
