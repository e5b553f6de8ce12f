import { renderOutput } from '../blocks.ts';
import { escapeHtml } from '../escape.ts';
import { foldLong } from '../fold-long.ts';
import { renderLink, renderMarkdown } from '../markdown.ts';
import {
  errorOutput,
  fields,
  list,
  markdownOutput,
  plainOutput,
  quiet,
  renderFields,
  type ToolView,
  text,
  without,
  word,
} from './view.ts';

/** A sub-agent: what it was told, and what it said in the end. */
export const task: ToolView = {
  input: (input) => quiet(text(input.subagent_type)) + foldLong(renderMarkdown(text(input.prompt)), text(input.prompt)),
  result: (tool) => renderOutput(tool.result?.block.output, renderAnswer),
};

const TAIL = '\nagentId: ';

/** The agent adds a tail about the sub-agent to its answer. */
function renderAnswer(said: string): string {
  const tail = said.startsWith(TAIL.trimStart()) ? 0 : said.indexOf(TAIL);
  if (tail < 0) return renderMarkdown(said);
  return (tail === 0 ? '' : renderMarkdown(said.slice(0, tail))) + quiet(said.slice(tail).trim());
}

/** `"toolUseResult":{"bytes":12034,"code":200,"codeText":"OK","durationMs":1204,"url":"https://…"}` */
export const web: ToolView = {
  input: ({ url, prompt }) => `<p>${renderLink(text(url), text(url))}</p>${quiet(text(prompt))}`,
  result: (tool, _input, { code, codeText, bytes, durationMs }) => {
    const facts = [
      `${word(code)} ${text(codeText)}`.trim(),
      typeof bytes === 'number' ? `${(bytes / 1000).toFixed(bytes < 1e4 ? 1 : 0)} KB` : '',
      typeof durationMs === 'number' ? `${(durationMs / 1000).toFixed(1)} s` : '',
    ];
    return quiet(facts.filter(Boolean).join(' · ')) + markdownOutput(tool);
  },
};

export const question: ToolView = {
  input: (input, detail) => {
    const answers = fields(detail.answers);
    const notes = fields(detail.annotations);
    return list(input.questions)
      .map(fields)
      .map((each) => {
        const asked = text(each.question);
        const answer = Object.hasOwn(answers, asked) ? answerOf(answers[asked]) : null;
        const options = list(each.options).map(fields);
        const labels = options.map(({ label }) => text(label));
        // What was typed instead of an option may hold a comma too.
        const chosen = each.multiSelect === true ? chosenOf(answer ?? '', labels) : new Set([answer ?? '']);
        const items = options.map(
          ({ label, description }) =>
            `<li${text(label) !== '' && chosen.has(text(label)) ? ' class="chosen"' : ''}>${escapeHtml(text(label))} <span class="quiet">${escapeHtml(text(description))}</span></li>`,
        );
        const said = answer === null ? '<span class="quiet">No answer</span>' : `Answer: ${escapeHtml(answer)}`;
        const below = Object.keys(answers).length > 0 ? `<p>${said}</p>` : '';
        const note = Object.hasOwn(notes, asked) ? quiet(text(fields(notes[asked]).notes)) : '';
        return `<p><strong>${escapeHtml(asked)}</strong></p><ul class="options">${items.join('')}</ul>${below}${note}`;
      })
      .join('');
  },
  // Where the answers are not told apart, the output holds them.
  result: (tool, _input, detail) =>
    Object.keys(fields(detail.answers)).length > 0 ? errorOutput(tool) : plainOutput(tool) || quiet('No answer'),
};

const answerOf = (answer: unknown): string =>
  Array.isArray(answer) ? answer.map(word).filter(Boolean).join(', ') : word(answer);

/**
 * Which options an answer names. Several stand side by side with commas between, and an option may hold commas itself, or begin like
 * another: at each place the longest that fits is meant.
 */
function chosenOf(answer: string, labels: readonly string[]): ReadonlySet<string> {
  const longestFirst = [...labels].filter((label) => label !== '').sort((a, b) => b.length - a.length);
  const chosen = new Set<string>();
  for (let at = 0; at < answer.length; ) {
    const found = longestFirst.find(
      (label) =>
        answer.startsWith(label, at) && /^(?:$|, ?)/.test(answer.slice(at + label.length, at + label.length + 2)),
    );
    if (found !== undefined) chosen.add(found);
    // What was typed instead of an option goes to the next comma.
    const end = found === undefined ? answer.indexOf(',', at) : at + found.length;
    if (end < 0) break;
    at = end + (/^,? ?/.exec(answer.slice(end, end + 2))?.[0].length || 1);
  }
  return chosen;
}

/** Newer versions keep the plan in a file, and tell it with the result. */
export const plan: ToolView = {
  input: (input, detail) => renderMarkdown(text(input.plan) || text(detail.plan)),
  result: errorOutput,
};

export const skill: ToolView = {
  // The head says its name.
  input: (input) => renderFields(without(input, 'skill')),
  result: (tool) => {
    const body = (tool.result?.body ?? []).map((block) => ('text' in block ? block.text : '')).join('\n\n');
    return body.trim() === '' ? plainOutput(tool) : foldLong(renderMarkdown(body), body);
  },
};
