import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../shared/corpus/claude-code/projects', import.meta.url));

/** Real public transcripts, if they lie beside the checkout: never copied, read in place. */
export const realCorpus: string | null = existsSync(FOLDER) ? FOLDER : null;
