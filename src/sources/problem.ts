/** Something on disk that could not be read. The rest is read all the same. */
export interface Problem {
  readonly path: string;
  /** What is wrong and what was done about it, in one sentence. */
  readonly message: string;
  /** It was read, and is not what it should be: nothing is missing that anybody could show. */
  readonly isRead?: true;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read (permission denied)',
  EPERM: 'may not be read (permission denied)',
  EISDIR: 'is a folder, not a file',
  ENOTFILE: 'is not a file any more',
  ENOTDIR: 'is not a folder',
  ELOOP: 'is a link that leads to itself',
  damaged: 'is damaged in the archive',
  EIO: 'cannot be read (input/output error)',
};

export function reasonOf(error: unknown): string {
  const code = (error as { code?: string } | null)?.code ?? '';
  return REASONS[code] ?? `cannot be read (${code || (error instanceof Error ? error.message : String(error))})`;
}
