/** Loaded before a program (`--import`): writes how many bytes it read of each `.jsonl` file to `$COUNT_READS` when it ends. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const names = new Map<number, string>();
const counts: Record<string, number> = {};
const { openSync, readSync, readFileSync } = fs;
const count = (path: unknown, bytes: number): void => {
  if (String(path).endsWith('.jsonl')) counts[String(path)] = (counts[String(path)] ?? 0) + bytes;
};
fs.openSync = (...args) => {
  const handle = openSync(...args);
  names.set(handle, String(args[0]));
  return handle;
};
fs.readSync = (handle: number, ...rest: unknown[]) => {
  const bytes = Reflect.apply(readSync, fs, [handle, ...rest]) as number;
  count(names.get(handle), bytes);
  return bytes;
};
fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
  const content = readFileSync(...args);
  count(args[0], Buffer.byteLength(content));
  return content;
}) as typeof readFileSync;
syncBuiltinESMExports();
process.on('exit', () => fs.writeFileSync(process.env.COUNT_READS ?? '', JSON.stringify(counts)));
