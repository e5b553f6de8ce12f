import { decodeUtf8, type Format, type Prompt, type PromptHistory } from '../model/index.ts';
import type { LogFile, PromptFile } from '../sources/index.ts';
import { Project } from './project.ts';

/**
 * The sessions that a history of prompts names and that are in none of the projects, as far as the names of files tell. Each is read
 * from a log in memory that holds its prompts: every view of a session is a view of these too.
 */
export function recoverSessions(
  files: readonly PromptFile[],
  projects: readonly Project[],
  isLeftOut: (agent: string, prompt: Prompt) => boolean,
): Project[] {
  const byPath = new Map<string, Map<string, { readonly format: Format; readonly files: LogFile[] }>>();
  const known = new Set(projects.flatMap((project) => project.files.flatMap(namesOf)));
  for (const { format, history, root, read } of files) {
    const isWanted = (prompt: Prompt): boolean => !isLeftOut(format.name, prompt);
    for (const [session, prompts] of vanished(history, decodeUtf8(read()), known, isWanted)) {
      known.add(session);
      const path = prompts.find(({ cwd }) => cwd !== null)?.cwd ?? root;
      const logs = byPath.get(path) ?? new Map<string, { readonly format: Format; readonly files: LogFile[] }>();
      byPath.set(path, logs);
      const own = logs.get(format.name) ?? { format, files: [] };
      logs.set(format.name, own);
      own.files.push(logOf(format, history, session, prompts));
    }
  }
  return [...byPath].map(([path, logs]) => {
    const like = projects.find((project) => project.path === path);
    const [first] = logs.values();
    const id = like?.id ?? first?.format.promptHistory?.folderOf(path) ?? path;
    return new Project({ id, path, names: like?.names ?? [id], logs: [...logs.values()], recovered: true });
  });
}

/** Whether one of them may name a session so: told much faster than by reading them. */
export const mentions = (files: readonly PromptFile[], text: string): boolean =>
  files.some(({ read }) => {
    const bytes = Buffer.from(read());
    return bytes.includes(text) || bytes.includes(JSON.stringify(text).slice(1, -1));
  });

const namesOf = ({ facts }: LogFile): string[] => [
  ...(facts.role === 'session' ? [facts.native] : []),
  ...(facts.session === null ? [] : [facts.session]),
];

function vanished(
  history: PromptHistory,
  text: string,
  known: ReadonlySet<string>,
  isWanted: (prompt: Prompt) => boolean,
): Map<string, Prompt[]> {
  const sessions = new Map<string, Prompt[]>();
  for (const line of text.split('\n')) {
    const prompt = line === '' ? null : history.read(line);
    if (prompt === null || prompt.session === null || known.has(prompt.session)) continue;
    if (prompt.text.trim() === '' || !isWanted(prompt)) continue;
    const prompts = sessions.get(prompt.session);
    if (prompts) prompts.push(prompt);
    else sessions.set(prompt.session, [prompt]);
  }
  return sessions;
}

function logOf(format: Format, history: PromptHistory, session: string, prompts: readonly Prompt[]): LogFile {
  const bytes = new TextEncoder().encode(history.write(session, prompts));
  const id = `${history.name}#${session}`;
  const facts = {
    id,
    path: id,
    format: format.name,
    project: '',
    branches: format.branches,
    role: 'session' as const,
    native: session,
    session: null,
    tokens: [],
  };
  const modified = prompts.reduce((last, { time }) => Math.max(last, time ?? 0), 0);
  return { facts, path: id, size: bytes.length, modified, bytes };
}
