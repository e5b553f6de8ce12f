import type { Facets, Hit } from '../../search/index.ts';
import { isoTime, type Json } from './json-record.ts';

/** One message that was found (M14). `roots`: the folders it was looked for in, where they are not the usual ones. */
export const jsonHit = (hit: Hit, roots: readonly string[] = []): Json => ({
  session_id: hit.session,
  session_title: hit.sessionTitle,
  project_id: hit.project.id,
  project_path: hit.project.path,
  agent: hit.agent,
  uuid: hit.uuid,
  record_uuid: hit.record,
  ...(hit.subagent === null ? {} : { agent_id: hit.subagent }),
  type: hit.type,
  kind: hit.kind,
  ...(hit.tool === null ? {} : { tool_name: hit.tool }),
  ...(hit.model === null ? {} : { model: hit.model }),
  ...(hit.type === 'tool_result' ? { is_error: hit.isError } : {}),
  timestamp: isoTime(hit.time),
  score: Math.round(hit.score * 1000) / 1000,
  snippet: hit.snippet,
  /** What shows it where it stands. */
  command: ['skein', 'show', hit.session, '--at', hit.record, ...roots.flatMap((root) => ['--root', root])],
});

/** The hits of one session, the best first. */
export const jsonHitGroup = (hits: readonly [Hit, ...Hit[]], roots?: readonly string[]): Json => ({
  session_id: hits[0].session,
  title: hits[0].sessionTitle,
  project_id: hits[0].project.id,
  project_path: hits[0].project.path,
  agent: hits[0].agent,
  hits: hits.map((hit) => jsonHit(hit, roots)),
});

export const jsonFacets = ({ project, type, tool, model }: Facets): Json => ({ project, type, tool, model });
