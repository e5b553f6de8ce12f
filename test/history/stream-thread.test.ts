import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { History, type Project, type Session, streamThread } from '../../src/history/index.ts';
import { renderRecord } from '../../src/views/text/render-record.ts';
import { sessionTexts } from '../kit/random-session.ts';
import { factsOf } from '../kit/transcript.ts';

/** `FC_RUNS=20000 npx vitest run test/history/stream-thread.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 2000);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};

const MAIN = 's1.jsonl';

function projectOf(texts: Readonly<Record<string, string>>): Project {
  const files = Object.entries(texts).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return { facts: factsOf(claudeCode, path), path: `p/${path}`, size: bytes.length, modified: 0, bytes };
  });
  const group = { id: 'p', path: '/p', names: ['p'], logs: [{ format: claudeCode, files }] };
  return History.ofGroup(group).projects[0] as Project;
}

const sessionIn = (project: Project): Session | undefined =>
  project.sessions().find(({ facts }) => facts.files.includes(`p/${MAIN}`));

const textsOf = (session: Session): string[] =>
  [...(session.defaultThread?.records() ?? [])].map((record) =>
    renderRecord({ record, content: session.content(record) }, { verbose: false }),
  );

/** The texts in the order they are given out, and how many of them before the file was read. */
function stream(project: Project, piece: number) {
  const [logs] = project.logs;
  const file = logs?.files.find(({ path }) => path === `p/${MAIN}`);
  if (!logs || !file) throw new Error('no session file');
  let early: number | null = null;
  const texts: string[] = [];
  const session = (): Session => {
    early = texts.length;
    const found = sessionIn(project);
    if (!found) throw new Error('no session');
    return found;
  };
  const again = (): void => {
    throw new Error(`given out too early: ${texts.slice(0, early ?? 0).join('\n')}`);
  };
  for (const entry of streamThread(logs, file, session, again, { piece }))
    texts.push(renderRecord(entry, { verbose: false }));
  return { texts, early: early ?? 0 };
}

const projects = fc
  .record({ main: sessionTexts('u'), agent: fc.option(fc.oneof(sessionTexts('v'), sessionTexts('u')), { freq: 2 }) })
  .map(({ main, agent }) => ({ [MAIN]: main, ...(agent === null ? {} : { 's1/subagents/agent-g2.jsonl': agent }) }));

test('what is given out early is what the whole session begins with', () => {
  let early = 0;
  let all = 0;
  fc.assert(
    fc.property(projects, fc.integer({ min: 1, max: 3000 }), (texts, piece) => {
      const usual = sessionIn(projectOf(texts));
      if (!usual) return;
      const streamed = stream(projectOf(texts), piece);
      expect(streamed.texts).toEqual(textsOf(usual));
      all += streamed.texts.length;
      early += streamed.early;
    }),
    { numRuns, ...seed },
  );
  if (process.env.FC_RUNS) console.log(`${early} of ${all} records were given out early`);
  // Else this test would show nothing.
  expect(early / all).toBeGreaterThan(0.1);
}, 3_600_000);
