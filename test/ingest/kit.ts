import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Ingested, ingest } from '../../src/ingest/index.ts';
import { openRoots } from '../../src/sources/index.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';
import type { ArchivedFile } from '../../src/stores/store.ts';
import { tempFolder } from '../kit/temp.ts';

/** A folder of projects and an archive of it. */
export class Place {
  readonly folder = tempFolder();
  readonly root = join(this.folder, 'agent', 'projects');
  readonly home = join(this.folder, 'data');

  write(path: string, content: string | Uint8Array): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  }

  async index(options: Partial<Parameters<typeof ingest>[0]> = {}): Promise<Ingested> {
    return this.with((archive) => ingest({ archive, roots: openRoots([this.root]), ...options }));
  }

  async with<T>(run: (archive: SqliteArchive) => Promise<T>): Promise<T> {
    const archive = SqliteArchive.open(join(this.home, 'archive.db'));
    try {
      return await run(archive);
    } finally {
      await archive.close();
    }
  }

  /** Every content by its place, older ones as `path~generation`. */
  contents(): Promise<Record<string, string>> {
    return this.with(async (archive) => {
      const contents: Record<string, string> = {};
      for (const file of await archive.files({ older: true })) contents[nameOf(file)] = `${await read(archive, file)}`;
      return contents;
    });
  }

  /** One number for everything that is archived. */
  digest(): Promise<string> {
    return this.with(async (archive) => {
      const hash = createHash('sha256');
      for (const file of await archive.files({ older: true }))
        hash.update(`${nameOf(file)} ${file.size} ${file.crc} ${file.head}\n`).update(await read(archive, file));
      return hash.digest('hex');
    });
  }

  skein(...args: string[]): { out: string; err: string; code: number | null } {
    const env = { PATH: process.env.PATH, HOME: this.folder, SKEIN_HOME: this.home, TZ: 'UTC' };
    const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8', env });
    return { out: stdout, err: stderr, code: status };
  }
}

export const BIN = resolve('bin/skein.cjs');

const nameOf = ({ project, path, generation, replacedAt }: ArchivedFile): string =>
  `${project}/${path}${replacedAt === null ? '' : `~${generation}`}`;

const read = async (archive: SqliteArchive, { id, size }: ArchivedFile): Promise<Buffer> =>
  Buffer.from(await archive.read(id, 0, size));
