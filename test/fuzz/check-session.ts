import { drawContext } from '../../src/cli/draw-context.ts';
import type { Output } from '../../src/cli/output.ts';
import { jsonRows, printTree } from '../../src/cli/print-tree.ts';
import { redactOutput, redactSession } from '../../src/cli/redaction.ts';
import { type Selection, type ShowOptions, showAs } from '../../src/cli/show/index.ts';
import { threadContext } from '../../src/cli/thread-context.ts';
import { buildContext, windowAt } from '../../src/context/index.ts';
import type { Session } from '../../src/history/index.ts';
import { readRows } from '../../src/library/read-rows.ts';
import { Redactor } from '../../src/redact/index.ts';
import { buildNodes, buildPrompts, FILTER_MODES, Selector } from '../../src/selector/index.ts';
import { jsonContext, jsonText } from '../../src/views/json/index.ts';
import { checkJson, checkPage, checkRedacted, checkText } from './check-output.ts';
import { must, type Verdict } from './verdict.ts';

/** What is written, kept in memory. */
class Written implements Output {
  readonly columns = null;
  text = '';
  write(text: string): void {
    this.text += text;
  }
  drained = () => null;
  close = () => undefined;
}

type Check = (text: string) => void;

const FORMS: readonly (readonly [string, ShowOptions, Check])[] = [
  ['text', {}, checkText],
  ['json', {}, checkJson],
  ['chat', {}, checkJson],
  ['chat', { text: true }, checkText],
  ['outline', {}, checkJson],
  ['messages', {}, checkJson],
  ['markdown', {}, checkText],
  ['html', {}, checkPage],
];
/** Those that change with `--verbose`. */
const VERBOSE = new Set(['text', 'json', 'outline', 'html', 'markdown']);
const THREADS = 3;
const SUBAGENTS = 3;

/** Every way a session is shown. `lines`: of its files, for how much may be read and written. */
export async function checkSession(session: Session, lines: number, bytes: number, verdict: Verdict): Promise<void> {
  const bounds = new Bounds(session, lines, bytes);
  for (const selection of selectionsOf(session)) {
    for (const [form, options, check] of FORMS)
      for (const verbose of VERBOSE.has(form) ? [false, true] : [false])
        await verdict.step(`show --as ${form}${verbose ? ' --verbose' : ''}`, async () =>
          check(
            await bounds.write((output) =>
              showAs[form]?.(selection, output, { ...options, verbose, ...asked(selection) }),
            ),
          ),
        );
    await verdict.step('context', () => checkContext(selection));
  }
  await verdict.step('threads', () => checkThreads(session));
  await checkTree(session, bounds, verdict);
  await checkRedaction(session, verdict);
}

/** The thread that is shown first, some others, and some sub-agents. */
function selectionsOf(session: Session): Selection[] {
  const threads = session.threads.filter(({ id }) => id !== session.defaultThread?.id).slice(0, THREADS);
  return [
    { session, thread: session.defaultThread, subagent: null },
    ...threads.map((thread) => ({ session, thread, subagent: null })),
    ...session.facts.subagents.slice(0, SUBAGENTS).map((subagent) => ({ session, thread: null, subagent })),
  ];
}

/** A thread beside the first was asked for by name. */
const asked = ({ session, thread }: Selection): ShowOptions =>
  thread && thread.id !== session.defaultThread?.id ? { thread: thread.id } : {};

/** How much may be read and written: what grows faster than the log is a defect, whatever time it takes. */
class Bounds {
  readonly #session: Session;
  readonly #reads: number;
  readonly #length: number;

  constructor(session: Session, lines: number, bytes: number) {
    this.#session = session;
    this.#reads = 2000 + 60 * lines;
    this.#length = 2_000_000 + 60 * bytes;
  }

  async write(run: (output: Output) => unknown): Promise<string> {
    const output = new Written();
    const { lines } = this.#session.logs;
    const read = lines.read.bind(lines);
    let count = 0;
    lines.read = (refs) => {
      count += refs.length;
      return read(refs);
    };
    try {
      await run(output);
    } finally {
      lines.read = read;
      // Nothing found is no failure here.
      process.exitCode = 0;
    }
    must(count <= this.#reads, () => `${count} lines are read, more than ${this.#reads}`);
    must(
      output.text.length <= this.#length,
      () => `${output.text.length} characters are written, more than ${this.#length}`,
    );
    return output.text;
  }
}

function checkContext({ session, thread }: Selection): void {
  if (!thread) return;
  const view = threadContext(session, thread);
  const { tree } = session.logs.read();
  const window = windowAt(view, tree, thread.facts.leaf);
  if (!window) return;
  const timeOf = (key: string) => session.record(key)?.time ?? null;
  checkText(drawContext(window, view, timeOf(window.record)));
  checkJson(jsonText(jsonContext(window, view, timeOf)));
  const plain = buildContext(tree, session.id, thread.id, (record) => session.content(record));
  must(plain.responses.length === view.responses.length, () => 'the context depends on annotations');
}

function checkThreads(session: Session): void {
  for (const { summary, facts } of session.threads) {
    must(!/[\r\n]/.test(summary), () => `a summary has several lines: ${JSON.stringify(summary)}`);
    must(facts.recordCount >= 0, () => 'a thread has no number of records');
  }
}

/** `tree`: every filter, and a search. */
async function checkTree(session: Session, bounds: Bounds, verdict: Verdict): Promise<void> {
  const { tree } = session.logs.read();
  for (const mode of FILTER_MODES)
    await verdict.step(`tree --filter ${mode}`, async () => {
      const selector = new Selector(buildNodes(tree, session.facts), readRows(session), { mode });
      selector.finish();
      checkText(await bounds.write((output) => printTree(selector, session, output)));
      for (const row of jsonRows(selector)) checkJson(jsonText(row));
    });
  await verdict.step('tree --search', () => {
    const selector = new Selector(buildNodes(tree, session.facts), readRows(session));
    selector.setQuery('the e');
    selector.finish();
    for (const by of [-1, -Infinity, 3, Infinity]) selector.move(by);
    selector.toggleFold();
  });
  await verdict.step('tree --branch', () =>
    new Selector(buildPrompts(tree, session.facts), readRows(session)).finish(),
  );
}

/** A key that stands where somebody speaks is in no form. */
async function checkRedaction(session: Session, verdict: Verdict): Promise<void> {
  const redactor = new Redactor();
  const redacted = redactSession(session, redactor);
  const selection: Selection = { session: redacted, thread: redacted.defaultThread, subagent: null };
  for (const [form, options] of FORMS)
    await verdict.step(`show --as ${form} --redact`, async () => {
      const written = new Written();
      await showAs[form]?.(
        selection,
        form === 'html'
          ? written
          : redactTo(written, redactor, options.text || form === 'text' || form === 'markdown' ? 'text' : 'json'),
        {
          ...options,
          verbose: true,
        },
      );
      process.exitCode = 0;
      checkRedacted(written.text);
    });
}

const redactTo = (written: Written, redactor: Redactor, form: 'text' | 'json'): Output =>
  redactOutput(
    { columns: null, write: (text) => written.write(text), drained: () => null, close: () => undefined },
    redactor,
    form,
  );
