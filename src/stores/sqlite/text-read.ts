import type { DatabaseSync } from 'node:sqlite';
import { SkeinError } from '../../model/index.ts';
import {
  attributeValue,
  type Clause,
  divideVolumes,
  type Filter,
  type Plan,
  type Portion,
  pieceOfPath,
  planOf,
  searchVolumes,
  valueTest,
} from '../../search/index.ts';
import { DOC_SPAN, type TextPart, type TextQuery, type TextRun, TITLED } from '../index-store.ts';
import { ByteCache } from './byte-cache.ts';
import { CachedVolume, type Kept } from './cached-volume.ts';
import { projectOf, sessionOf } from './index-read.ts';
import { BLOCK_SPAN } from './index-schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: the columns of a query are written beside where they are used
type Row = any;

/** Who types asks for the same terms again. */
const KEPT_BLOCKS = 16 * 1024 * 1024;
/** Common words beside each other stand on nearly all pages; those of a million messages take 20 MB. */
const KEPT_PAGES = 24 * 1024 * 1024;

/** Answers from the volumes. What was read of them stays in memory until the index changes: a query while typing reads little. */
export class TextReader {
  readonly #db: DatabaseSync;
  #kept: Kept | null = null;
  #volumes: Map<number, CachedVolume> = new Map();
  #sessions: readonly { readonly num: number; readonly names: readonly string[] }[] | null = null;
  #revision = -1;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  search(query: TextQuery, { portion = WHOLE, isOver }: TextRun, revision: number): TextPart {
    const { clause, projects, newest, tells = [] } = query;
    // Who has a part of the volumes needs a part of the memory.
    this.#kept ??= { blocks: new ByteCache(KEPT_BLOCKS / portion.of), pages: new ByteCache(KEPT_PAGES / portion.of) };
    const own = divideVolumes(this.#current(revision, this.#kept), portion).sort((a, b) => b.newest - a.newest);
    const volumes = function* () {
      for (const volume of own) {
        if (isOver?.()) throw new SkeinError('aborted', 'The search was ended');
        yield volume;
      }
    };
    const documents = [...this.#volumes.values()].reduce((sum, { size }) => sum + size, 0);
    const plan = this.#plan(clause, projects);
    const told = tells.map((each): Plan => (each === TITLED ? HAS_TITLE : this.#planFilter(each)));
    return { ...searchVolumes(volumes(), plan, newest, told), revision, documents };
  }

  #plan(clause: Clause | null, projects: readonly string[] | undefined): Plan {
    const parts: Plan[] = [];
    if (clause) parts.push(planOf(clause, (filter) => this.#planFilter(filter)));
    if (projects) parts.push(this.#inTrees((tree) => projects.includes(tree.path)));
    return parts.length === 1 ? (parts[0] as Plan) : { as: 'and', of: parts };
  }

  #planFilter(filter: Filter): Plan {
    if ('time' in filter) {
      const second = Math.ceil(filter.time / 1000);
      return filter.name === 'after'
        ? { as: 'time', from: second, to: Number.POSITIVE_INFINITY }
        : { as: 'time', from: 1, to: second };
    }
    if (filter.name === 'is' || filter.name === 'has')
      return { as: 'attribute', name: filter.value, accepts: () => true };
    const accepts = valueTest(filter.name, filter.value);
    if (filter.name === 'project') return this.#inTrees(({ path, names }) => [path, ...names].some(accepts));
    if (filter.name === 'agent') return this.#inTrees(({ agent }) => accepts(agent));
    if (filter.name === 'session') return this.#inSessions(accepts);
    return {
      ...{ as: 'attribute', name: filter.name, accepts },
      ...(filter.name === 'file' && { piece: pieceOfPath(filter.value) }),
    };
  }

  #inTrees(isMeant: (tree: { path: string; agent: string; names: string[] }) => boolean): Plan {
    const rows = this.#db.prepare('select key, path, agent, project, names from trees').all() as Row[];
    const meant = rows.filter((row) => isMeant({ ...row, names: projectOf(row).names }));
    const keys = new Set(meant.map(({ key }) => attributeValue(key)));
    return { as: 'attribute', name: 'tree', accepts: (value) => keys.has(value) };
  }

  #inSessions(isMeant: (id: string) => boolean): Plan {
    this.#sessions ??= (
      this.#db.prepare('select num, id, ended, data from sessions where data is not null').all() as Row[]
    ).map((row) => ({ num: row.num, names: [row.id, ...sessionOf(row).aliases] }));
    const meant = this.#sessions.filter(({ names }) => names.some(isMeant));
    const find = this.#db.prepare('select doc from messages where session = ? and doc is not null');
    const byVolume = new Map<number, number[]>();
    for (const { num } of meant)
      for (const { doc } of find.all(num) as Row[]) {
        const volume = Math.floor(doc / DOC_SPAN);
        const docs = byVolume.get(volume) ?? [];
        docs.push(doc % DOC_SPAN);
        byVolume.set(volume, docs);
      }
    return { as: 'docs', of: (volume) => byVolume.get(volume) ?? [] };
  }

  #current(revision: number, kept: Kept): Iterable<CachedVolume> {
    if (revision !== this.#revision) {
      const rows = this.#db.prepare('select num, docs, newest from volumes').all() as Row[];
      // A volume does not change, but more of its documents may be dead.
      this.#volumes = new Map(
        rows.map((row): [number, CachedVolume] => [
          row.num,
          this.#volumes.get(row.num)?.forgetDead() ?? new CachedVolume(this.#db, row, kept),
        ]),
      );
      for (const cache of [kept.blocks, kept.pages])
        cache.dropUnless((id) => this.#volumes.has(Math.floor(id / BLOCK_SPAN)));
      this.#sessions = null;
      this.#revision = revision;
    }
    return this.#volumes.values();
  }
}

const WHOLE: Portion = { index: 0, of: 1 };
const HAS_TITLE: Plan = { as: 'attribute', name: TITLED, accepts: () => true };
