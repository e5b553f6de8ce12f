import fc from 'fast-check';
import type { SessionManager } from '../../src/journal/index.ts';
import { assistant, user } from './journal.ts';

/** What somebody does with a session; numbers choose among the entries there are. */
export type Operation =
  | { readonly do: 'say'; readonly as: 'user' | 'assistant' | 'call' | 'custom' | 'bash'; readonly text: string }
  | { readonly do: 'set'; readonly what: 'thinking' | 'model' | 'data' | 'name' | 'usage'; readonly text: string }
  | { readonly do: 'label'; readonly at: number; readonly text: string | null }
  | { readonly do: 'edit'; readonly at: number; readonly text: string | null }
  | { readonly do: 'branch' | 'fork' | 'compact'; readonly at: number }
  | { readonly do: 'summarise'; readonly at: number | null; readonly text: string }
  | { readonly do: 'reset' | 'reopen' };

const text = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('', 'a\nb', '\u2028', '😀', '\ud800', '"\\'));
const at = fc.nat(30);

export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('say' as const),
        as: fc.constantFrom('user', 'assistant', 'call', 'custom', 'bash'),
        text,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('set' as const),
        what: fc.constantFrom('thinking', 'model', 'data', 'name', 'usage'),
        text,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('label' as const, 'edit' as const), at, text: fc.option(text) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('branch' as const), at }) },
    fc.record({ do: fc.constantFrom('fork' as const, 'compact' as const), at }),
    fc.record({ do: fc.constant('summarise' as const), at: fc.option(at), text }),
    fc.record({ do: fc.constantFrom('reset' as const, 'reopen' as const) }),
  ),
  { maxLength: 40 },
);

/** Does it, if it can be done. `reopen` gives the session that goes on. */
export function perform(
  session: SessionManager,
  operation: Operation,
  reopen: (session: SessionManager) => SessionManager,
): SessionManager {
  const pick = (place: number): string | null => {
    const entries = session.getEntries();
    return entries[place % (entries.length || 1)]?.id ?? null;
  };
  switch (operation.do) {
    case 'say':
      say(session, operation.as, operation.text);
      return session;
    case 'set':
      set(session, operation.what, operation.text);
      return session;
    case 'reset':
      session.resetLeaf();
      return session;
    case 'reopen':
      return reopen(session);
    case 'summarise':
      session.branchWithSummary(operation.at === null ? null : pick(operation.at), operation.text, { files: [] }, true);
      return session;
    default: {
      const target = pick(operation.at);
      if (target === null) return session;
      if (operation.do === 'branch') session.branch(target);
      else if (operation.do === 'fork') session.createBranchedSession(target);
      else if (operation.do === 'compact') session.appendCompaction('compacted', target, 7);
      else if (operation.do === 'label') session.appendLabelChange(target, operation.text ?? undefined);
      else if (operation.do === 'edit') edit(session, target, operation.text);
      return session;
    }
  }
}

function say(session: SessionManager, as: string, said: string): void {
  if (as === 'custom') session.appendCustomMessageEntry('memo', said, false, { n: 1 });
  else if (as === 'user') session.appendMessage(user(said));
  else if (as === 'assistant') session.appendMessage(assistant(said));
  else if (as === 'bash')
    session.appendMessage({
      role: 'bashExecution',
      command: said,
      output: said,
      exitCode: 1,
      cancelled: false,
      truncated: false,
      timestamp: 3,
    });
  else {
    const id = `call-${session.getEntries().length}`;
    session.appendMessage({
      ...assistant(said),
      content: [{ type: 'toolCall', id, name: 'read', arguments: { path: said } }],
      stopReason: 'toolUse',
    });
    session.appendMessage({
      role: 'toolResult',
      toolCallId: id,
      toolName: 'read',
      content: [{ type: 'text', text: said }],
      isError: false,
      timestamp: 4,
    });
  }
}

function set(session: SessionManager, what: string, value: string): void {
  if (what === 'thinking') session.appendThinkingLevelChange(value);
  else if (what === 'model') session.appendModelChange('openai', value);
  else if (what === 'data') session.appendCustomEntry('data', { value });
  else if (what === 'name') session.appendSessionInfo(value);
  else session.appendUsage('cache_warm', 'openai', value, assistant('').usage);
}

/** Only what is on the branch and says something can be edited. */
function edit(session: SessionManager, target: string, content: string | null): void {
  const entry = session.getBranch().find(({ id }) => id === target);
  const role = entry?.type === 'message' ? entry.message.role : entry?.type;
  if (role && ['user', 'assistant', 'toolResult', 'custom_message'].includes(role))
    session.appendContextEdit(target, content === null ? null : { content });
}
