import type { ArchivedFile, FileKind } from '../store.ts';

export const COLUMNS =
  'id, root, agent, project, path, generation, kind, size, crc, head, tail_start, tail_crc, inode, modified, replaced_at, gone_at';

export interface Row {
  readonly id: number;
  readonly root: string;
  readonly agent: string;
  readonly project: string;
  readonly path: string;
  readonly generation: number;
  readonly kind: FileKind;
  readonly size: number;
  readonly crc: number;
  readonly head: number;
  readonly tail_start: number;
  readonly tail_crc: number;
  readonly inode: number;
  readonly modified: number;
  readonly replaced_at: number | null;
  readonly gone_at: number | null;
}

export const fileOf = ({ tail_start, tail_crc, replaced_at, gone_at, ...same }: Row): ArchivedFile => ({
  ...same,
  tail: { start: tail_start, crc: tail_crc },
  replacedAt: replaced_at,
  goneAt: gone_at,
});
