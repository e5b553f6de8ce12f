import { expectTypeOf, test } from 'vitest';
import type {
  AIGroup,
  AIGroupLastOutput,
  AIGroupStatus,
  AIGroupSummary,
  AIGroupTokens,
  ChatItem,
  CommandInfo,
  CompactionTokenDelta,
  EnhancedAIGroup,
  FileReference,
  ImageData,
  LinkedToolItem,
  ModelInfo,
  ParsedMessage,
  Process,
  SemanticStep,
  SemanticStepType,
  SlashItem,
  TeammateMessage,
  UserGroup,
} from '../../src/chat/index.ts';
import type { LogRecord } from '../../src/model/index.ts';

test('C0 the library has the types of the seed', () => {
  expectTypeOf<ParsedMessage>().toEqualTypeOf<LogRecord>();
  expectTypeOf<ChatItem['type']>().toEqualTypeOf<'user' | 'system' | 'ai' | 'compact'>();
  expectTypeOf<EnhancedAIGroup>().toExtend<AIGroup>();
  expectTypeOf<EnhancedAIGroup['linkedTools']>().toEqualTypeOf<ReadonlyMap<string, LinkedToolItem>>();
  expectTypeOf<EnhancedAIGroup['displayItems'][number]['type']>().toEqualTypeOf<
    'thinking' | 'tool' | 'subagent' | 'output' | 'slash' | 'teammate_message' | 'notification'
  >();
  expectTypeOf<AIGroup['steps'][number]>().toEqualTypeOf<SemanticStep>();
  expectTypeOf<SemanticStepType>().toEqualTypeOf<
    'thinking' | 'tool_call' | 'tool_result' | 'subagent' | 'output' | 'interruption'
  >();
  expectTypeOf<AIGroup['status']>().toEqualTypeOf<AIGroupStatus>();
  expectTypeOf<AIGroup['tokens']>().toEqualTypeOf<AIGroupTokens>();
  expectTypeOf<AIGroup['summary']>().toEqualTypeOf<AIGroupSummary>();
  expectTypeOf<AIGroup['processes'][number]>().toEqualTypeOf<Process>();
  expectTypeOf<EnhancedAIGroup['mainModel']>().toEqualTypeOf<ModelInfo | null>();
  expectTypeOf<EnhancedAIGroup['lastOutput']>().toEqualTypeOf<AIGroupLastOutput | null>();
  expectTypeOf<CompactionTokenDelta>().toEqualTypeOf<{
    readonly pre: number;
    readonly post: number;
    readonly delta: number;
  }>();
  expectTypeOf<UserGroup['content']['commands'][number]>().toEqualTypeOf<CommandInfo>();
  expectTypeOf<UserGroup['content']['images'][number]>().toEqualTypeOf<ImageData>();
  expectTypeOf<UserGroup['content']['fileReferences'][number]>().toEqualTypeOf<FileReference>();
  expectTypeOf<SlashItem['timestamp']>().toEqualTypeOf<Date>();
  expectTypeOf<TeammateMessage['replyToToolId']>().toEqualTypeOf<string | undefined>();
});
