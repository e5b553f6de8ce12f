import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SkeinError } from '../../src/model/index.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';

/** Every content an archive can give back, older generations included, by its place: what is compared byte for byte. */
export async function archivedContents(data: string): Promise<Map<string, Buffer[]>> {
  const contents = new Map<string, Buffer[]>();
  const path = join(data, 'archive.db');
  if (!existsSync(path)) return contents;
  const archive = SqliteArchive.openForReading(path);
  try {
    for (const file of await archive.files({ older: true })) {
      const place = `${file.project}/${file.path}`;
      const bytes = await archive.read(file.id, 0, file.size).catch(ifDamaged);
      if (bytes) contents.set(place, [...(contents.get(place) ?? []), Buffer.from(bytes)]);
    }
  } finally {
    await archive.close();
  }
  return contents;
}

function ifDamaged(error: unknown): null {
  if (error instanceof SkeinError) return null;
  throw error;
}
