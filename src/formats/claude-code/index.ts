import type { Format } from '../../model/index.ts';
import { cwdOf, locations, roleOf } from './locations.ts';
import { promptHistory } from './prompt-history.ts';
import { openFile } from './reader.ts';
import { readSidecar } from './sidecar.ts';
import { openSkim } from './skim-line.ts';

const SIGNS = ['"parentUuid"', '"sessionId"', '"leafUuid"', '"isSidechain"', '"file-history-snapshot"'];

export const claudeCode: Format = {
  name: 'claude-code',
  title: 'Claude Code',
  branches: 'inferred',
  locations,
  beside: [promptHistory.name],
  promptHistory,
  sniff: (lines) => lines.some((line) => SIGNS.some((sign) => line.includes(sign))),
  roleOf,
  cwdOf,
  resume: ({ resumeId }) => ['claude', '--resume', resumeId],
  open: openFile,
  skim: openSkim,
  readSidecar,
};
