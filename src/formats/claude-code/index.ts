import type { Format } from '../../model/index.ts';
import { cwdOf, locations, roleOf } from './locations.ts';
import { promptHistory } from './prompt-history.ts';
import { openFile } from './reader.ts';
import { readSidecar } from './sidecar.ts';
import { sniff } from './sniff.ts';

export const claudeCode: Format = {
  name: 'claude-code',
  title: 'Claude Code',
  branches: 'inferred',
  locations,
  beside: [promptHistory.name],
  promptHistory,
  sniff,
  roleOf,
  cwdOf,
  resume: ({ resumeId }) => ['claude', '--resume', resumeId],
  open: openFile,
  readSidecar,
};
