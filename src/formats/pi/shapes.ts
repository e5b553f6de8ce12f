import { oneOf, type Shape, shape } from '../lines/index.ts';

/** `needs`: keys that should be there; `blocks`: the path of its `content`, if that is a text or a list of blocks. */
export interface Known {
  readonly shape: Shape;
  readonly path: string;
  readonly needs: readonly string[];
  readonly blocks: string | null;
}

type Inner = Parameters<typeof shape>[1];

const know = (path: string, keys: string, inner: Inner = {}, needs = ''): Known => ({
  shape: shape(keys, inner),
  path,
  needs: needs.split(' ').filter(Boolean),
  blocks: /\bcontent\b/.test(keys) ? `${path}.content` : null,
});

const USAGE = shape(
  'input output cacheRead cacheWrite cacheWrite1h reasoning reasoningTokens totalTokens contextTokens premiumRequests',
  {
    cost: shape('input output cacheRead cacheWrite total'),
    cttl: shape('ephemeral5m ephemeral1h'),
    orchestration: shape('input cacheRead output'),
    server: shape('webSearch webFetch'),
    credits: shape('cost committedCost acuCost'),
  },
);

const STOP_REASON = oneOf('stop', 'length', 'toolUse', 'error', 'aborted', 'pending', 'deferred');
const SOURCE = oneOf('auto', 'user');
const ATTRIBUTION = oneOf('user', 'agent');

const entry = (type: string, keys: string, inner?: Inner, needs?: string): readonly [string, Known] => [
  type,
  know(type, `type id parentId timestamp skein ${keys}`, inner, needs),
];

/** The keys that the type definitions of Pi and oh-my-pi name, older spellings included, by type of entry. */
export const ENTRIES: ReadonlyMap<string, Known> = new Map([
  entry(
    'session',
    // The second line is of version 1, the third of oh-my-pi.
    `cwd parentSession
     provider modelId thinkingLevel branchedFrom
     title additionalDirectories previousSessionFiles providerPromptCacheKey`,
    { version: oneOf(1, 2, 3), titleSource: SOURCE },
    'id',
  ),
  ['title', know('title', 'type v title updatedAt pad', { source: SOURCE }, 'title')],
  entry('message', 'message', {}, 'message'),
  entry('model_change', 'provider modelId model role resolvedModelIsFallback'),
  entry('thinking_level_change', 'thinkingLevel configured'),
  entry(
    'compaction',
    `summary firstKeptEntryId firstKeptEntryIndex tokensBefore details fromHook systemMessage
     fromExtension shortSummary tokensAfter method preserveData warning providerReplayThroughEntryId`,
    { usage: USAGE },
    'summary',
  ),
  entry('branch_summary', 'fromId summary details fromHook fromExtension', { usage: USAGE }, 'summary'),
  entry('custom', 'customType data'),
  entry('custom_message', 'customType content display details', { attribution: ATTRIBUTION }, 'content'),
  entry('label', 'targetId label', {}, 'targetId'),
  entry('session_info', 'name'),
  entry('context_edit', 'targetId', { replacement: shape('content') }, 'targetId'),
  entry('usage', 'kind provider model note', { usage: USAGE }),
  entry('ttsr_injection', 'injectedRules'),
  entry('mode_change', 'mode data'),
  entry('service_tier_change', 'serviceTier'),
  entry('title_change', 'title previousTitle trigger', { source: SOURCE }),
  entry('credential_pin', 'provider hash'),
  entry('model_usage', 'purpose role api provider model errorMessage', { usage: USAGE, stopReason: STOP_REASON }),
  entry('reset_boundary', ''),
  entry('archive', 'targetId archived', {}, 'targetId'),
  entry(
    'session_init',
    `systemPrompt task tools agent modelRole resolvedModel retryFallback readOnly outputSchema outputSchemaMode restrictToolNames
     spawns readSummarize advisor compactionThreshold isolated workPoolYieldItems`,
  ),
]);

const role = (name: string, keys: string, inner?: Inner, needs?: string): readonly [string, Known] => [
  name,
  know(`message.${name}`, `role timestamp ${keys}`, inner, needs),
];

const RUN = 'output exitCode cancelled truncated fullOutputPath excludeFromContext meta';
const NOTICE = 'customType content display details';
const IMAGE = shape('type data mimeType detail url', { providerFile: shape('provider id uri expiresAt') });

export const ROLES: ReadonlyMap<string, Known> = new Map([
  role('user', 'content synthetic steering providerPayload', { attribution: ATTRIBUTION }, 'content'),
  role(
    'assistant',
    `content api provider model responseModel responseId errorMessage diagnostics deferred rawStopReason endTurn providerThinkingLevel
     contextSnapshot retryRecovery upstreamProvider upstreamModel stopDetails errorClassificationMessage toolCallAbortMessages
     errorStatus errorId disabledFeatures providerPayload duration ttft completedAt`,
    { usage: USAGE, stopReason: STOP_REASON },
    'content',
  ),
  role(
    'toolResult',
    'toolCallId toolName content details isError addedToolNames prunedAt providerMetadata useless',
    { usage: USAGE, attribution: ATTRIBUTION },
    'toolCallId content',
  ),
  role('bashExecution', `command ${RUN}`, { images: IMAGE }, 'command'),
  role('pythonExecution', `code ${RUN}`, {}, 'code'),
  role('custom', NOTICE, { attribution: ATTRIBUTION }, 'content'),
  role('hookMessage', NOTICE, { attribution: ATTRIBUTION }, 'content'),
  role('fileMention', '', { files: shape('path content lineCount byteSize skippedReason', { image: IMAGE }) }, 'files'),
  role('system', 'content toolsAdded toolsRemoved'),
  role('developer', 'content synthetic userInitiated providerPayload', { attribution: ATTRIBUTION }),
  role('branchSummary', 'summary fromId', {}, 'summary'),
  role('compactionSummary', 'summary shortSummary tokensBefore providerPayload', {}, 'summary'),
]);

export const BLOCKS: ReadonlyMap<string, Shape> = new Map([
  ['text', shape('type text textSignature')],
  ['thinking', shape('type thinking thinkingSignature redacted itemId')],
  ['redactedThinking', shape('type data')],
  ['image', IMAGE],
  [
    'toolCall',
    shape(
      'type id name arguments partialJson thoughtSignature namespace intent rawBlock customWireName providerMetadata',
    ),
  ],
  ['fallback', shape('type from to')],
  ['anthropicServerTool', shape('type block')],
]);
