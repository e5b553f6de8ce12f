import { type AgentSession, HttpSummarizer, type SessionEventType } from '../../src/journal/index.ts';
import { KEY, ModelServer } from './model-server.ts';

/** A model behind real HTTP, and the summarizer that asks it. */
export async function startModel() {
  const server = await ModelServer.start();
  const { endpoint } = server;
  return { server, summarizer: new HttpSummarizer({ protocol: 'openai', endpoint, model: 'm', apiKey: KEY }) };
}

const TYPES: readonly SessionEventType[] = [
  'session_before_switch',
  'session_switch',
  'session_before_branch',
  'session_branch',
  'session_before_tree',
  'session_tree',
  'session_before_compact',
  'session.compacting',
  'session_compact',
  'session_shutdown',
];

/** Every event from now on. */
export function listen(agent: AgentSession): { type: SessionEventType }[] {
  const heard: { type: SessionEventType }[] = [];
  for (const type of TYPES) agent.on(type, (event) => void heard.push(event));
  return heard;
}
