import { callTools, finalAnswer, hookSuccess, newResponse, workingAnswer } from './answer.ts';
import { Conversation, type Style } from './conversation.ts';
import { HAPPENINGS, type Happening } from './happenings.ts';
import type { AgentPlan, SessionPlan } from './plan.ts';
import { humanPrompt } from './prompt.ts';
import { Random } from './random.ts';
import { prose } from './text.ts';
import type { ToolUse } from './tools.ts';

/** The lines of one session, turn by turn. */
export function* writeSession(plan: SessionPlan, style: Style): Generator<string> {
  const { seed, id: session, cwd, version, start, bytes } = plan;
  const talk = new Conversation({ seed, session, cwd, version, start, bytes, ...style });
  const agents = [...plan.agents];
  const owed = plan.showcase ? HAPPENINGS.filter(({ long }) => !(long && style.lean)) : [];
  let resumed = plan.resumed;
  yield* opening(talk);
  for (let turn = 0; !talk.isFull || agents.length > 0 || resumed; turn++) {
    // An old version opened it again and goes on in a file of its own.
    if (resumed && talk.bytes >= resumed.after) {
      talk.random = new Random(resumed.seed);
      talk.limit = Math.max(resumed.bytes, talk.bytes + 1);
      agents.length = 0;
      resumed = null;
    }
    const happening = turn > 0 ? (owed.shift() ?? anyHappening(talk)) : undefined;
    if (happening) yield* happening.write(talk);
    else yield humanPrompt(talk);
    // Short turns first, so that there is room for everything.
    const steps = owed.length > 0 ? 2 : Math.round(Math.min(400, talk.random.around(4, 1)));
    yield* work(talk, steps, agents, plan.agents.length);
    yield* finalAnswer(talk);
    yield* closing(talk, turn);
  }
  yield talk.aside({ type: 'ai-title', aiTitle: prose(talk.random, 40) });
}

/** What a sub-agent writes: the prompt it was given, then steps, then its report. */
export function* writeAgent(plan: AgentPlan, session: SessionPlan, style: Style): Generator<string> {
  const { cwd, version, start } = session;
  const old = plan.layout === 'beside' ? '2.0.55' : version;
  const talk = new Conversation({
    seed: plan.seed,
    session: session.id,
    cwd,
    version: old,
    start: start + 60_000,
    bytes: plan.bytes,
    ...style,
    agent: plan.id,
  });
  yield talk.chain({ type: 'user', message: { role: 'user', content: taskOf(plan).prompt } });
  while (!talk.isFull) yield* workingAnswer(talk);
  yield* finalAnswer(talk);
}

export const sidecarOf = (plan: AgentPlan): string =>
  JSON.stringify({ agentType: 'general-purpose', description: taskOf(plan).description });

function* opening(talk: Conversation): Generator<string> {
  yield talk.aside({ type: 'permission-mode', permissionMode: 'default' });
  yield talk.raw({
    type: 'file-history-snapshot',
    messageId: talk.random.uuid(),
    snapshot: { messageId: talk.random.uuid(), trackedFileBackups: {}, timestamp: talk.now },
    isSnapshotUpdate: false,
  });
  if (talk.random.chance(0.3))
    yield talk.raw({ type: 'summary', summary: prose(talk.random, 50), leafUuid: talk.random.uuid() });
  yield hookSuccess(talk, 'SessionStart', 'startup', talk.random.uuid());
}

function anyHappening(talk: Conversation): Happening | undefined {
  let at = talk.random.next();
  for (const happening of HAPPENINGS) {
    at -= happening.chance;
    if (at < 0)
      return talk.limit - talk.bytes < happening.bytes || (talk.lean && happening.long) ? undefined : happening;
  }
  return undefined;
}

/** Steps with tools; sub-agents are started when their time has come, or at the latest at the end. */
function* work(talk: Conversation, steps: number, agents: AgentPlan[], all: number): Generator<string> {
  for (let step = 0; step < steps && !talk.isFull; step++) yield* workingAnswer(talk);
  const due = talk.isFull ? agents.length : agents.length - Math.floor(all * (1 - talk.bytes / talk.limit));
  if (due > 0) yield* callTools(talk, newResponse(talk), agents.splice(0, Math.min(due, 4)).map(spawn));
}

function spawn(plan: AgentPlan): ToolUse {
  const { description, prompt, report } = taskOf(plan);
  const name = plan.layout === 'beside' ? 'Task' : 'Agent';
  const content = [{ type: 'text', text: report }];
  const totals = { totalDurationMs: 67_437, totalTokens: 42_775, totalToolUseCount: 24 };
  return {
    name,
    input: { description, prompt, subagent_type: 'general-purpose' },
    content,
    result: { status: 'completed', prompt, agentId: plan.id, content, ...totals },
    isError: false,
  };
}

/** The call and the sub-agent's own file say the same. */
function taskOf(plan: AgentPlan): { readonly description: string; readonly prompt: string; readonly report: string } {
  const random = new Random(`${plan.seed}/task`);
  return { description: prose(random, 30), prompt: prose(random, 900), report: prose(random, 1800) };
}

function* closing(talk: Conversation, turn: number): Generator<string> {
  const { random } = talk;
  if (random.chance(0.5)) {
    const hookInfos = [{ command: 'npm run -s idle', durationMs: random.below(400) }];
    const rest = {
      hookErrors: [],
      preventedContinuation: false,
      stopReason: '',
      hasOutput: false,
      level: 'suggestion',
    };
    yield talk.chain({ type: 'system', subtype: 'stop_hook_summary', hookCount: 1, hookInfos, ...rest });
  }
  if (random.chance(0.7))
    yield talk.chain({ type: 'system', subtype: 'turn_duration', durationMs: random.below(500_000), isMeta: false });
  if (turn % 8 === 7) yield talk.aside({ type: 'last-prompt', leafUuid: talk.leaf });
}
