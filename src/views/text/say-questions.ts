import { type Fields, fieldsOf, listOf, textOf } from './json-values.ts';
import { linesOf, shortValue, wholeValue } from './shorten.ts';

/** Questions to the human with their answers, never cut. */
export function sayQuestions(asked: Fields, verbose: boolean): string {
  const answers = fieldsOf(asked.answers) ?? {};
  const notes = fieldsOf(asked.annotations) ?? {};
  const questions = questionsOf(asked);
  const others = Object.keys(answers).filter((text) => !questions.some((question) => question.text === text));
  const all = [...questions, ...others.map((text) => ({ text, options: [] }))];
  if (all.length === 0) return 'No answer';
  return all
    .flatMap(({ text, options }) => {
      const note = textOf(fieldsOf(own(notes, text))?.notes);
      return [
        labelled('Q: ', text),
        ...(verbose ? options.map(sayOption) : []),
        labelled('A: ', answerText(own(answers, text))),
        ...(note === null ? [] : [labelled('   ', note)]),
      ];
    })
    .join('\n');
}

/** A plan for the human to agree to, never cut. */
export const sayPlan = (plan: string): string => ['Plan:', ...linesOf(plan)].join('\n');

interface Question {
  readonly text: string;
  readonly options: readonly unknown[];
}

/** Old versions asked one question only. */
function questionsOf(asked: Fields): readonly Question[] {
  const list = Array.isArray(asked.questions) ? asked.questions : [asked];
  return list.flatMap((item) => {
    const text = textOf(fieldsOf(item)?.question);
    return text === null ? [] : [{ text, options: listOf(fieldsOf(item)?.options) }];
  });
}

function answerText(answer: unknown): string {
  if (answer === undefined || answer === null || answer === '') return 'No answer';
  return Array.isArray(answer) ? answer.map(wholeValue).join(', ') || 'No answer' : wholeValue(answer);
}

function sayOption(option: unknown): string {
  const { label, description } = fieldsOf(option) ?? { label: option };
  const said = textOf(description) === null ? '' : `: ${wholeValue(description)}`;
  return labelled('   - ', shortValue(label) + said);
}

const labelled = (label: string, text: string): string => label + linesOf(text).join(`\n${' '.repeat(label.length)}`);

/** A question may be called like something every object has. */
const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);
