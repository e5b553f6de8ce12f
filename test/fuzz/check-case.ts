import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../bench/generate/random.ts';
import { formatSessions, listed, sessionCells } from '../../src/cli/session-table.ts';
import { checkProject, History, listSessions, type Project } from '../../src/history/index.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { parseQuery } from '../../src/library/search.ts';
import { jsonSession, jsonText, jsonThread } from '../../src/views/json/index.ts';
import { checkGrowth } from './check-growth.ts';
import { checkJson, checkText } from './check-output.ts';
import { checkSession } from './check-session.ts';
import { type CaseFiles, rootsOf, writeCase } from './make-case.ts';
import { must, Verdict } from './verdict.ts';

const SESSIONS = 6;

/** Puts the files of a case through everything. */
export async function checkCase(number: number, files: CaseFiles): Promise<Verdict> {
  const verdict = new Verdict();
  const folder = mkdtempSync(join(tmpdir(), 'skein-fuzz-'));
  try {
    const whole = join(folder, 'whole');
    writeCase(whole, files);
    const history = await verdict.step('open', () => History.open({ roots: rootsOf(whole) }));
    if (history) await checkHistory(history, verdict);
    await verdict.step('growth', () =>
      checkGrowth(join(folder, 'grown'), files, new Random(`growth ${number}`), verdict),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdict;
}

async function checkHistory(history: History, verdict: Verdict): Promise<void> {
  for (const project of history.projects) {
    await verdict.step('check', () => checkAccounts(project));
    const sessions = (await verdict.step('sessions', () => project.sessions())) ?? [];
    verdict.sessions += sessions.length;
    for (const session of sessions.slice(0, SESSIONS)) {
      const own = session.files.flatMap((id) => session.logs.file(id)?.path ?? []).map((path) => readFileSync(path));
      await checkSession(session, sum(own.map(linesIn)), sum(own.map(({ length }) => length)), verdict);
    }
  }
  await verdict.step('lists', () => checkLists(history));
  for (const query of QUERIES) await verdict.step(`search ${query}`, () => checkSearch(history, query));
}

/** Every line that is not blank is in one bucket, counted another way than the splitter does. */
function checkAccounts(project: Project): void {
  const { accounted, lines } = checkProject(project);
  const own = sum(
    project.files.filter(({ facts }) => facts.role !== 'sidecar').map(({ path }) => linesIn(readFileSync(path))),
  );
  must(lines === own, () => `${lines} lines are counted, there are ${own}`);
  const total = sum(Object.values(accounted));
  must(total === own, () => `${total} lines are accounted for, there are ${own}`);
}

const linesIn = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => /[^ \t\r\v\f]/.test(line)).length;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

function checkLists(history: History): void {
  const rows = listSessions(history, { threads: true });
  for (const row of rows) {
    checkJson(jsonText(jsonSession(row)));
    for (const thread of row.threads) checkJson(jsonText(jsonThread(thread)));
  }
  checkText(formatSessions(rows.map((row) => sessionCells(listed(row), true))));
}

const QUERIES = ['the', '"the file"', 'type:tool_result error', 'a OR -b', 'role:user img', 'ü'];

async function checkSearch(history: History, query: string): Promise<void> {
  const scan = new ScanSearch(history.projects, { threads: 0 });
  const { hits, total } = await scan.search({ clause: parseQuery(query), limit: 50, facets: true });
  must(total >= hits.length, () => `${total} are found, ${hits.length} shown`);
  for (const { project, session, record } of hits) {
    const found = history.projects.find(({ path }) => path === project.path)?.session(session);
    must(
      found?.record(record) != null,
      () => `the record ${record} was found in session ${session}, which does not have it`,
    );
  }
}
