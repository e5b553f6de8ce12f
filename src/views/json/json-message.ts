import type { Message } from '../../messages/index.ts';
import { isoTime, type Json, jsonUsage } from './json-record.ts';

/** The fields of the seed, with its aliases (M15). */
export const jsonMessage = (message: Message): Json => ({
  _id: `${message.sessionId}:${message.uuid}`,
  uuid: message.uuid,
  message_uuid: message.uuid,
  parent_uuid: message.parentUuid,
  parent_uuid_alias: message.parentUuid,
  session_id: message.sessionId,
  session_id_alias: message.sessionId,
  type: message.type,
  kind: message.kind,
  content: message.content,
  timestamp: isoTime(message.timestamp),
  created_at: isoTime(message.timestamp),
  is_sidechain: message.isSidechain,
  ...(message.model === undefined ? {} : { model: message.model }),
  ...(message.usage ? { usage: jsonUsage(message.usage), cost_usd: message.costUsd ?? null } : {}),
  ...(message.toolName === undefined ? {} : { tool_name: message.toolName }),
  ...(message.toolUseId === undefined ? {} : { tool_use_id: message.toolUseId }),
  ...(message.isError === undefined ? {} : { is_error: message.isError }),
  ...(message.agentId === undefined ? {} : { agent_id: message.agentId }),
  ...(message.spawnToolUseId === undefined ? {} : { spawn_tool_use_id: message.spawnToolUseId }),
});
