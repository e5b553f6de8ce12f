/** What is asked of the model that writes a summary. */
const HEADINGS = `Use these headings, and leave none out; write "(none)" where there is nothing:

## Goal
## Constraints & Preferences
## Progress
### Done
### In Progress
### Blocked
## Key Decisions
## Next Steps

Be short. Keep file paths, names of functions and the words of errors exactly as they are.`;

export const BRANCH_PREAMBLE = `The user tried another branch of this conversation before coming back here.
Summary of that branch:

`;

export const BRANCH_INSTRUCTIONS = `Summarise this branch of a conversation for somebody who goes on from before it: what was tried there, what came of it, what was learnt.

${HEADINGS}`;

export const HISTORY_INSTRUCTIONS = `Summarise this conversation so that another model can go on with the work. It will see your summary instead of the conversation.

${HEADINGS}`;

export const UPDATE_INSTRUCTIONS = `Bring the summary in <previous-summary> up to date with this conversation, which came after it. Keep what still holds, move what was finished to Done, and add what is new. Another model will see your summary instead of the conversation and of the previous summary.

${HEADINGS}`;

export const TURN_INSTRUCTIONS = `This is the beginning of one turn of a conversation; its end is kept and follows your summary. Say what the user asked for, what was done so far, and what somebody must know to understand the end.

## Original Request
## Early Progress
## Context for the Rest

Be short. Keep file paths, names of functions and the words of errors exactly as they are.`;

export const withFocus = (instructions: string, focus: string | undefined): string =>
  focus ? `${instructions}\n\nAdditional focus: ${focus}` : instructions;

export const withPrevious = (instructions: string, previous: string | undefined): string =>
  previous === undefined ? instructions : `${instructions}\n\n<previous-summary>\n${previous}\n</previous-summary>`;

export const withContext = (instructions: string, context: readonly string[] | undefined): string =>
  context?.length
    ? `${instructions}\n\n<additional-context>\n${context.join('\n')}\n</additional-context>`
    : instructions;
