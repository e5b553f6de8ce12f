import type { Finding } from '../../model/index.ts';
import type { UsageSum } from '../../usage/index.ts';
import { isoTime, type Json, jsonTokens } from './json-record.ts';

/** What a list of sessions says about one; the rows of the library's front door have this form. */
export interface SessionFacts {
  readonly id: string;
  readonly project: { readonly id: string; readonly path: string };
  readonly agent: string;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly gitBranch: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly recordCount: number;
  readonly threadCount: number;
  readonly messageCount: number;
  readonly files: readonly string[];
  readonly usage: UsageSum;
  readonly recovered?: true;
  readonly archived?: true;
}

export const jsonSession = (row: SessionFacts): Json => ({
  session_id: row.id,
  project_id: row.project.id,
  project_path: row.project.path,
  agent: row.agent,
  title: row.title,
  started_at: isoTime(row.startedAt),
  ended_at: isoTime(row.endedAt),
  record_count: row.recordCount,
  thread_count: row.threadCount,
  message_count: row.messageCount,
  cwd: row.cwd,
  git_branch: row.gitBranch,
  files: row.files,
  ...(row.recovered ? { recovered: true } : {}),
  ...(row.archived ? { archived: true } : {}),
  usage: jsonTokens(row.usage),
  cost_usd: row.usage.costUsd,
  ...(row.usage.unknownModels.length > 0 ? { unknown_models: row.usage.unknownModels } : {}),
});

interface ThreadFacts {
  readonly id: string;
  readonly leaf: string;
  readonly resumeId: string;
  readonly summary: string;
  readonly recordCount: number;
  readonly lastActivity: number | null;
  readonly fork: string | null;
  readonly isDefault: boolean;
}

export const jsonThread = (row: ThreadFacts): Json => ({
  thread_id: row.id,
  leaf_uuid: row.leaf,
  resume_id: row.resumeId,
  summary: row.summary,
  record_count: row.recordCount,
  last_activity: isoTime(row.lastActivity),
  fork_uuid: row.fork,
  is_default: row.isDefault,
});

export const jsonWarning = ({ type, severity, message, file, line, uuid, count }: Finding): Json => ({
  type,
  severity,
  message,
  file,
  line,
  uuid,
  count,
});
