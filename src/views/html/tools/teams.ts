import { escapeHtml } from '../escape.ts';
import { renderMarkdown } from '../markdown.ts';
import { saidFields, sentence } from './said.ts';
import { none, plainOutput, quiet, renderFields, type ToolView, text } from './view.ts';

export const teamCreate: ToolView = {
  input: ({ team_name: name, description, agent_type: sort }) =>
    `<p><strong>${escapeHtml(text(name))}</strong> <span class="quiet">${escapeHtml(text(sort))}</span></p>${renderMarkdown(text(description))}`,
  result: (tool) => {
    const { team_file_path: file, lead_agent_id: lead } = saidFields(tool);
    if (tool.isError || (text(file) === '' && text(lead) === '')) return plainOutput(tool);
    return renderFields({ lead: text(lead), file: text(file) });
  },
};

/** `{"success":false,"message":"Cannot cleanup team with 1 active member(s): bob. …"}` */
export const teamDelete: ToolView = {
  input: none,
  result: (tool) => {
    const told = sentence(tool);
    return saidFields(tool).success === false ? `<div class="error">${told}</div>` : told;
  },
};

/** `to`, `message` and `summary`; before 2.1 `recipient`, `content` and `type`. */
export const sendMessage: ToolView = {
  input: (input) => {
    const message = text(input.message) || text(input.content);
    const sort = text(input.type);
    const to = text(input.to) || text(input.recipient);
    const facts = [to === '' ? '' : `to ${to}`, sort === '' || sort === 'message' ? '' : sort.replaceAll('_', ' ')];
    const summary = text(input.summary);
    return (
      quiet(facts.filter(Boolean).join(' · ')) +
      (summary === '' ? '' : `<p><strong>${escapeHtml(summary)}</strong></p>`) +
      // An answer to a request is a value, not a text.
      (message === '' && input.message !== undefined
        ? renderFields({ message: input.message })
        : renderMarkdown(message))
    );
  },
  result: sentence,
};
