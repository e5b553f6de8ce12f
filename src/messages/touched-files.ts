/** A file that a call names in its input. */
export interface TouchedFile {
  /** Whole where the call or its working folder tells it. */
  readonly path: string;
  readonly isChanged: boolean;
}

const FIELDS = ['file_path', 'filePath', 'notebook_path', 'path', 'file', 'filename'];
/** Their path is a folder to look in. */
const LOOKING = /^(?:grep|glob|ls|find|search|list)$/i;
const CHANGING = /edit|write|create|replace|patch|insert|delete|remove/i;

/** What a call reads or changes, as far as its input says so: what a command line does to files is not told. */
export function touchedFiles(tool: string, input: unknown, cwd: string | null): TouchedFile[] {
  if (typeof input !== 'object' || input === null || LOOKING.test(tool)) return [];
  const fields = input as Readonly<Record<string, unknown>>;
  const files: TouchedFile[] = [];
  for (const field of FIELDS) {
    const value = fields[field];
    if (typeof value !== 'string' || value.trim() === '' || value.length > LONGEST) continue;
    const path = wholePath(value, cwd);
    if (!files.some((file) => file.path === path)) files.push({ path, isChanged: CHANGING.test(tool) });
  }
  return files;
}

const LONGEST = 4096;

function wholePath(path: string, cwd: string | null): string {
  if (cwd === null || /^(?:[/\\~]|[a-z]:|[a-z]+:\/\/)/i.test(path)) return path;
  return `${cwd.replace(/[/\\]+$/, '')}/${path.replace(/^(?:\.[/\\])+/, '')}`;
}
