import { demoFiles } from '../demo/index.ts';
import { claudeCode } from '../formats/claude-code/index.ts';
import type { LogFile } from '../sources/index.ts';
import { History } from './history.ts';

/** The session that comes with Skein, for a machine without any. */
export function openDemo(): History {
  const project = 'demo';
  const files = demoFiles.flatMap(({ path, text }): LogFile[] => {
    const role = claudeCode.roleOf(path);
    const bytes = new TextEncoder().encode(text);
    const id = `${project}/${path}`;
    if (!role) return [];
    const facts = { id, path: id, format: claudeCode.name, project, branches: claudeCode.branches, ...role };
    return [{ facts, path: id, size: bytes.length, modified: 0, bytes }];
  });
  return History.ofGroup({ id: project, path: project, names: [project], logs: [{ format: claudeCode, files }] });
}
