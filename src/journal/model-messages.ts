import type { AgentMessage, BashExecutionMessage, FileMentionMessage, Message } from './messages.ts';
import { listOf, textOf } from './values.ts';

/** What a model is sent: summaries, commands and what extensions say become text of the user, in Pi's words. */
export function convertToLlm(messages: readonly AgentMessage[]): Message[] {
  return messages.flatMap((message): Message[] => {
    switch (message.role) {
      case 'system':
      case 'user':
      case 'assistant':
      case 'toolResult':
        return [message];
      case 'bashExecution':
        return message.excludeFromContext ? [] : [said(bashExecutionToText(message), message)];
      case 'custom':
        if (typeof message.content === 'string') return [said(message.content, message)];
        return [{ role: 'user', content: message.content, timestamp: message.timestamp }];
      case 'fileMention':
        return [said(mentionedFiles(message), message)];
      case 'branchSummary':
        return [said(`${BRANCH_SUMMARY_PREFIX}${textOf(message.summary)}${BRANCH_SUMMARY_SUFFIX}`, message)];
      case 'compactionSummary':
        return [said(`${COMPACTION_SUMMARY_PREFIX}${textOf(message.summary)}${COMPACTION_SUMMARY_SUFFIX}`, message)];
      default:
        return [];
    }
  });
}

const said = (text: string, { timestamp }: AgentMessage): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp,
});

const COMPACTION_SUMMARY_PREFIX = `The conversation history before this point was compacted into the following summary:

<summary>
`;
const COMPACTION_SUMMARY_SUFFIX = `
</summary>`;
const BRANCH_SUMMARY_PREFIX = `The following is a summary of a branch that this conversation came back from:

<summary>
`;
const BRANCH_SUMMARY_SUFFIX = '</summary>';

function bashExecutionToText({ command, output, cancelled, exitCode, ...more }: BashExecutionMessage): string {
  let text = `Ran \`${textOf(command)}\`\n`;
  text += output ? `\`\`\`\n${textOf(output)}\n\`\`\`` : '(no output)';
  if (cancelled) text += '\n\n(command cancelled)';
  else if (typeof exitCode === 'number' && exitCode !== 0) text += `\n\nCommand exited with code ${exitCode}`;
  const path = textOf(more.fullOutputPath);
  if (more.truncated && path) text += `\n\n[Output truncated. Full output: ${path}]`;
  return text;
}

function mentionedFiles({ files }: FileMentionMessage): string {
  const parts = listOf(files).map(({ path, content }) => `<file path="${textOf(path)}">\n${textOf(content)}\n</file>`);
  return `<system-reminder>\n${parts.join('\n\n')}\n</system-reminder>`;
}
