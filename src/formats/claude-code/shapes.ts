import { mapOf, objectOnly, oneOf, type Shape, shape } from '../lines/index.ts';

/** Every key and value seen in logs or described for versions 1.0.24 to 2.1.294. What is not here is kept all the same and named by `check`. */

const TOKENS = 'input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens';
const CACHE_CREATION = shape('ephemeral_5m_input_tokens ephemeral_1h_input_tokens');
const USAGE = shape(`${TOKENS} service_tier inference_geo`, {
  cache_creation: CACHE_CREATION,
  server_tool_use: shape('web_search_requests web_fetch_requests code_execution_requests'),
  iterations: shape(`${TOKENS} type model`, { cache_creation: CACHE_CREATION }),
  speed: oneOf('standard', 'fast'),
  output_tokens_details: shape('thinking_tokens'),
});
const STOP = oneOf(
  'tool_use',
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
);

const SOURCE = shape('data url file_id media_type content', {
  type: oneOf('base64', 'url', 'text', 'file', 'content'),
});
const BLOCK_KEYS =
  'text citations thinking signature data id name input tool_use_id is_error source title context tool_name cache_control server_name url';

/** Blocks of an answer, a prompt or a result. `content` of a result is a text or blocks again. */
const BLOCK_TYPES = [
  'text thinking redacted_thinking tool_use tool_result image document tool_reference server_tool_use web_search_tool_result',
  'web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result',
  'tool_search_tool_result mcp_tool_use mcp_tool_result advisor_tool_result search_result container_upload fallback compaction',
]
  .join(' ')
  .split(' ');
export const KNOWN_BLOCKS: ReadonlySet<unknown> = new Set(BLOCK_TYPES);
const CALLER = shape('type tool_id');
const RESULT_BLOCK = shape(`${BLOCK_KEYS} content type`, { source: SOURCE, caller: CALLER });
const BLOCK = shape(`${BLOCK_KEYS} type`, { source: SOURCE, caller: CALLER, content: RESULT_BLOCK });
const MESSAGE = shape('id model stop_sequence stop_details container diagnostics', {
  context_management: shape('applied_edits'),
  type: oneOf('message'),
  role: oneOf('user', 'assistant', 'system'),
  content: BLOCK,
  stop_reason: STOP,
  usage: USAGE,
});

const ENVELOPE = [
  'type uuid parentUuid logicalParentUuid sessionId session_id timestamp cwd gitBranch version entrypoint isSidechain agentId teamName slug',
  'isMeta sessionKind promptId requestId effort perTurnEffort agentName agentColor',
].join(' ');
const FORKED = shape('sessionId messageUuid');
const COMMON = {
  userType: oneOf('external', 'ant'),
  promptSource: oneOf('typed', 'queued', 'system', 'sdk'),
  origin: shape('from name', { kind: oneOf('human', 'peer', 'task-notification', 'coordinator', 'system', 'agent') }),
  forkedFrom: FORKED,
};

/** Results beside the block, over all tools: the line does not say whose it is. */
const RESULT_KEYS = [
  'stdout stderr interrupted isImage returnCodeInterpretation backgroundTaskId noOutputExpected persistedOutputPath persistedOutputSize bashEditDiff',
  'sandbox structuredContent rawOutputPath backgroundedByUser assistantAutoBackgrounded dangerouslyDisableSandbox shellId command status exitCode stdoutLines',
  'stderrLines timestamp message shell_id success type filePath content structuredPatch originalFile oldString newString userModified replaceAll edits',
  'originalFileContents filenames durationMs numFiles truncated mode numLines appliedLimit appliedOffset numMatches prompt agentId agent_id agentType',
  'totalDurationMs totalTokens totalToolUseCount usage toolStats worktreePath worktreeBranch isAsync description outputFile canReadOutputFile color name',
  'team_name teammate_id tmux_session_name tmux_window_name tmux_pane_id is_splitpane plan_mode_required model resolvedModel task tasks taskId updatedFields statusChange verificationNudgeNeeded',
  'error routing request_id target team_file_path lead_agent_id oldTodos newTodos questions answers annotations plan isAgent planWasEdited hasTaskTool',
  'bytes code codeText result url query results durationSeconds searchCount matches total_deferred_tools commandName allowedTools runId transcriptDir',
  'scriptPath retrieval_status task_id task_type workflowName summary scheduledFor cron id jobs recurring durable humanSchedule',
].join(' ');
const TOOL_RESULT = objectOnly(
  shape(RESULT_KEYS, {
    file: shape(
      'filePath content numLines startLine totalLines base64 type originalSize dimensions cells count outputDir notebook_path',
    ),
  }),
);

const USER = shape(
  `${ENVELOPE} isVisibleInTranscriptOnly isCompactSummary sourceToolUseID sourceToolAssistantUUID todos imagePasteIds interruptedMessageId toolDenialKind mcpMeta`,
  {
    ...COMMON,
    message: MESSAGE,
    toolUseResult: TOOL_RESULT,
    permissionMode: oneOf('default', 'plan', 'acceptEdits', 'bypassPermissions', 'auto', 'dontAsk'),
    thinkingMetadata: shape('disabled maxThinkingTokens', {
      triggers: shape('start end text'),
      level: oneOf('none', 'low', 'medium', 'high'),
    }),
  },
);
const ASSISTANT = shape(
  `${ENVELOPE} isApiErrorMessage apiError error errorDetails apiBlockIndex attributionMcpServer attributionMcpTool attributionSkill attributionAgent costUSD durationMs isCompactSummary isVisibleInTranscriptOnly advisorModel`,
  { ...COMMON, message: MESSAGE },
);
const SYSTEM = shape(
  [
    ENVELOPE,
    'subtype content toolUseID hookCount hookErrors preventedContinuation stopReason hasOutput durationMs messageCount retryInMs retryAttempt maxRetries',
    'url upgradeNudge cronKind originalModel fallbackModel apiRefusalCategory isVisibleInTranscriptOnly cause budgetTokens budgetLimit budgetNudges',
    'pendingBackgroundAgentCount pendingWorkflowCount',
  ].join(' '),
  {
    ...COMMON,
    level: oneOf('info', 'warning', 'error', 'suggestion', 'notice'),
    error: shape('status headers requestID message name cause type', {
      error: shape('type code message details error'),
    }),
    hookInfos: shape('command durationMs promptText'),
    compactMetadata: shape(
      'preTokens postTokens cumulativeDroppedTokens durationMs preCompactDiscoveredTools userContext messagesSummarized',
      {
        trigger: oneOf('auto', 'manual'),
        preservedSegment: shape('headUuid anchorUuid tailUuid'),
        preservedMessages: shape('anchorUuid uuids allUuids'),
      },
    ),
    microcompactMetadata: shape('preTokens tokensSaved compactedToolIds clearedAttachmentUUIDs', {
      trigger: oneOf('auto', 'manual'),
    }),
  },
);
export const SYSTEM_SUBTYPES: ReadonlySet<unknown> = new Set(
  `stop_hook_summary turn_duration away_summary local_command compact_boundary microcompact_boundary api_error informational bridge_status
  scheduled_task_fire agents_killed model_refusal_fallback model_consent_fallback model_refusal_no_fallback init`.split(
    /\s+/,
  ),
);

const ATTACHMENT_KEYS = [
  'type hookName hookEvent toolUseID command content stdout stderr exitCode durationMs prompt commandMode filename displayPath itemCount',
  'skillCount isInitial addedNames addedLines addedBlocks removedNames planFilePath planExists names skills tasks reminderType isSubAgent path truncated',
  'snippet memories message condition met iterations uuid source_uuid origin isMeta imagePasteIds response systemMessage pendingMcpServers readdedNames',
  'addedTypes removedTypes showConcurrencyNote newDate used total remaining addedTools allowedTools style data',
].join(' ');
const ATTACHMENT = shape(`${ENVELOPE} rendered renderedInHumanTurn`, {
  ...COMMON,
  attachment: shape(ATTACHMENT_KEYS, { blockingError: shape('blockingError command') }),
});
export const ATTACHMENT_TYPES: ReadonlySet<unknown> = new Set(
  `hook_success hook_non_blocking_error hook_blocking_error hook_additional_context hook_cancelled hook_system_message hook_stopped_continuation
  async_hook_response queued_command file directory already_read_file edited_text_file compact_file_reference task_reminder todo_reminder goal_status
  skill_listing invoked_skills dynamic_skill command_permissions deferred_tools_delta mcp_instructions_delta agent_listing_delta nested_memory output_style
  plan_mode plan_mode_exit plan_mode_reentry auto_mode auto_mode_exit date_change total_tokens_reminder ultra_effort_enter companion_intro
  prompt_snapshot environment model structured_output read_truncation_notice`.split(/\s+/),
);

const PROGRESS = shape(`${ENVELOPE} toolUseID parentToolUseID`, {
  ...COMMON,
  data: shape(
    `hookEvent hookName command promptText statusMessage agentId prompt message normalizedMessages output fullOutput elapsedTimeSeconds totalLines
    totalBytes timeoutMs serverName toolName query resultCount taskDescription taskType taskId status`,
    {
      type: oneOf(
        'hook_progress',
        'agent_progress',
        'bash_progress',
        'mcp_progress',
        'query_update',
        'search_results_received',
        'waiting_for_task',
      ),
    },
  ),
});

const BACKUP = shape('backupFileName version backupTime realParentDir');

/** By type of line. */
export const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['user', USER],
  ['assistant', ASSISTANT],
  ['system', SYSTEM],
  ['attachment', ATTACHMENT],
  ['progress', PROGRESS],
  ['summary', shape('type summary leafUuid timestamp sessionId isSidechain cwd')],
  [
    'file-history-snapshot',
    shape('type messageId isSnapshotUpdate sessionId', {
      snapshot: shape('messageId timestamp', { trackedFileBackups: mapOf(BACKUP) }),
    }),
  ],
  [
    'file-history-delta',
    shape('type messageId snapshotMessageId trackingPath timestamp sessionId', { backup: BACKUP }),
  ],
  [
    'queue-operation',
    shape('type timestamp sessionId', { content: BLOCK, operation: oneOf('enqueue', 'dequeue', 'remove', 'popAll') }),
  ],
  ['last-prompt', shape('type lastPrompt leafUuid sessionId timestamp')],
  [
    'permission-mode',
    shape('type sessionId timestamp', {
      permissionMode: oneOf('default', 'plan', 'acceptEdits', 'bypassPermissions', 'auto', 'dontAsk'),
    }),
  ],
  ['mode', shape('type mode sessionId timestamp')],
  ['custom-title', shape('type customTitle sessionId timestamp uuid')],
  ['ai-title', shape('type aiTitle sessionId timestamp uuid')],
  ['agent-name', shape('type agentName sessionId timestamp')],
  ['agent-setting', shape('type agentSetting sessionId timestamp')],
  ['agent-color', shape('type agentColor sessionId timestamp')],
  ['tag', shape('type tag sessionId timestamp')],
  ['pr-link', shape('type prNumber prUrl prRepository timestamp sessionId')],
  ['bridge-session', shape('type bridgeSessionId lastSequenceNum sessionId timestamp')],
  [
    'worktree-state',
    shape('type sessionId timestamp', {
      worktreeSession: shape(
        'worktreeName worktreePath worktreeBranch originalCwd preEnterOriginalCwd originalBranch originalHeadCommit sessionId tmuxSessionName hookBased',
      ),
    }),
  ],
  [
    'content-replacement',
    shape('type agentId sessionId timestamp messageId uuid', { replacements: shape('kind toolUseId replacement') }),
  ],
  ['fork-context-ref', shape('type agentId parentSessionId parentLastUuid contextLength sessionId timestamp')],
  [
    'cost-state',
    shape(
      `type sessionId timestamp totalCostUSD totalDuration totalAPIDuration totalAPIDurationWithoutRetries totalToolDuration totalLinesAdded
      totalLinesRemoved hasUnknownModelCost`,
      {
        modelUsage: mapOf(
          shape(
            'inputTokens outputTokens cacheReadInputTokens cacheCreationInputTokens webSearchRequests costUSD contextWindow maxOutputTokens',
          ),
        ),
      },
    ),
  ],
  ['started', shape('type key agentId timestamp')],
  ['result', shape('type key agentId result timestamp')],
  ['launched', shape('type key agentId timestamp')],
  ['failed', shape('type key agentId error timestamp')],
]);
