import type { SessionId } from '../model/index.ts';
import type { LogFile } from '../sources/index.ts';
import type { FolderGroup } from './group-folders.ts';
import { Logs } from './logs.ts';
import { Session } from './session.ts';
import type { SessionNames, StoredTrees } from './stored-trees.ts';

/** One working folder, with what every agent left for it. */
export class Project {
  /** The name of its folder among the logs. */
  readonly id: string;
  /** The working folder. */
  readonly path: string;
  /** All names of its folders, where several roots or agents have one. */
  readonly names: readonly string[];
  /** One per agent. */
  readonly logs: readonly Logs[];

  /** Of its sessions only the prompts are left. */
  readonly isRecovered: boolean;

  readonly #stored: StoredTrees | null;

  constructor({ id, path, names, logs, recovered = false }: FolderGroup, stored: StoredTrees | null = null) {
    this.id = id;
    this.path = path;
    this.names = names;
    this.isRecovered = recovered;
    this.#stored = stored;
    this.logs = logs.map(
      ({ format, files }) => new Logs(format, files, () => stored?.tree({ format, path, files }) ?? null),
    );
  }

  get agents(): string[] {
    return this.logs.map(({ format }) => format.name);
  }

  get files(): LogFile[] {
    return this.logs.flatMap(({ files }) => files);
  }

  /** When one of its files was last written, epoch milliseconds: known without reading. */
  get modified(): number {
    return this.files.reduce((newest, file) => Math.max(newest, file.modified), 0);
  }

  /** Newest first. */
  sessions(): Session[] {
    const sessions = this.logs.flatMap((logs) =>
      logs
        .read()
        .tree.sessionIds()
        .map((id) => new Session(this, logs, id)),
    );
    return sessions.sort((a, b) => (b.facts.endedAt ?? 0) - (a.facts.endedAt ?? 0) || (a.id < b.id ? -1 : 1));
  }

  /** Read only where nobody knows them. */
  sessionNames(): readonly SessionNames[] {
    const { path } = this;
    const known = this.logs.map(({ format, files }) => this.#stored?.names({ format, path, files }) ?? null);
    if (known.every((names) => names !== null)) return known.flat();
    const names = this.sessions().map(({ id, facts }) => ({ id, aliases: facts.aliases }));
    this.close();
    return names;
  }

  /** By its id or another native id that leads to it; null when there is none. */
  session(id: SessionId): Session | null {
    for (const logs of this.logs) {
      const { tree } = logs.read();
      const found = tree.sessionIds().find((own) => own === id || tree.session(own).aliases.includes(id));
      if (found !== undefined) return new Session(this, logs, found, { named: id });
    }
    return null;
  }

  /** Forgets what was read. */
  close(): void {
    for (const logs of this.logs) logs.close();
  }
}
