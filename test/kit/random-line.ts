import fc from 'fast-check';
import { encodeCodes } from '../../src/model/index.ts';

/** Answers and results of Claude Code as raw JSON, mostly as it writes them: some members are of another type, absent, written twice or elsewhere. */

type Written = fc.Arbitrary<string>;

/** Of a member that is not there. */
const NONE = '';

const one = (...values: readonly string[]): Written => fc.constantFrom(...values);
const ODD = one(
  ...['null', 'true', 'false', '0', '-1.5e3', '1e400', '""', '"x"', '"\\u0078"', '"é"', '[]', '["x"]', '{}', '[[]]'],
  ...['{"agentId":"x","text":"agentId: y","type":"tool_use"}', '[{"type":"tool_result","tool_use_id":"t9"}]'],
);

const object = (members: Readonly<Record<string, Written>>): Written =>
  fc
    .tuple(
      fc.tuple(...Object.entries(members).map(([key, value]) => memberOf(key, value))),
      fc.nat({ max: 99 }),
      fc.nat(),
    )
    .map(([parts, isSwapped, from]) => {
      const all = parts.flat();
      if (isSwapped < 15) all.unshift(...all.splice(from % (all.length + 1)));
      return `{${all.join(',')}}`;
    });

const memberOf = (key: string, value: Written): fc.Arbitrary<readonly string[]> => {
  const usual = value.map((written) => (written === NONE ? [] : [`"${key}":${written}`]));
  const escaped = `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  return fc.oneof(
    { weight: 400, arbitrary: usual },
    { weight: 8, arbitrary: ODD.map((odd) => [`"${key}":${odd}`]) },
    { weight: 8, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.tuple(ODD, value).map(([odd, written]) => [`"${key}":${odd}`, `"${key}" : ${written}`]),
    },
    { weight: 1, arbitrary: value.map((written) => [`"${escaped}":${written}`]) },
  );
};

const list = (...elements: readonly Written[]): Written =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.array(fc.oneof(...elements), { minLength: 1, maxLength: 1 }) },
      { weight: 2, arbitrary: fc.array(fc.oneof(...elements, ODD), { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.oneof(...elements).map((element) => Array.from({ length: 70 }, () => element)) },
    )
    .map((all) => `[${all}]`);

const count = one('0', '1', '2500', '12', '1.5');
const said = one(
  '"done"',
  '"✓ \\"é\\"\\n"',
  '"\\u001b[1m"',
  '"\\u00e9"',
  '"\\ud800"',
  '""',
  '"<persisted-output>\\nFull output saved to: /x/é.txt"',
);
const tail = one(
  '"done\\nagentId: a1 (use it)"',
  '"agentId: a2"',
  '"agent\\u0049d: a3"',
  '"x agentId: a4"',
  `"${'✓'.repeat(599)}\\nagentId: a5"`,
  `"\\nagentId: a6 ${'✓'.repeat(580)}"`,
);
const text = object({
  type: one('"text"'),
  text: fc.oneof(said, one('"No response requested."', '"<command-name>/x</command-name>"')),
});
const call = object({
  type: one('"tool_use"'),
  id: one('"t1"', '"t2"', '"t✓"'),
  name: one('"Read"', '"Bash"', '"Edit"', '"Grep"', '"mcp__é"', '"Task"', '"A\\u0067ent"'),
  input: one('{"prompt":"do it","name":"bob"}', '{"file_path":"/é"}'),
});
const result = object({
  tool_use_id: one('"t1"', '"t2"', '"t✓"', '"t\\n"', '""'),
  type: one('"tool_result"'),
  content: fc.oneof(said, tail, list(text, tail, said), one(`[{"text":"agentId: a7","cited":"${'x'.repeat(2500)}"}]`)),
  is_error: one('true', 'false'),
});
const usage = object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: object({ ephemeral_1h_input_tokens: count }),
  speed: one('"fast"', '"standard"'),
});
const detail = fc.oneof(
  one(NONE),
  said,
  tail,
  fc.constant('[{"agentId":"a7"}]'),
  object({ stdout: said, agentId: one('"a8"', '"agent-é"'), agent_id: one('"bob@team"') }),
  object({ stdout: said, runId: one('"run"') }),
  object({ stdout: said, persistedOutputPath: one('"/x/y.txt"') }),
  fc.constant('{"stdout":"","\\u0061gentId":"a9"}'),
);

const envelope = {
  parentUuid: one('"u1"', '"u2"', 'null'),
  isSidechain: one('false', 'false', 'true'),
  agentId: one('"a1"'),
  cwd: one('"/r"', '"/é"', '"C:\\\\r"'),
  version: one('"2.1.114"'),
  gitBranch: one('"main"', '""'),
  slug: one('"a-b"'),
  sessionId: one('"s"', `"${'s'.repeat(120)}"`),
  timestamp: one('"2026-01-01T00:00:00.000Z"', '"2026-01-01T00:00:01.000Z"', '"never"'),
};
const uuid = one('"u1"', '"u2"', '"u3"', '"é"', '"\\u0075"', `"${'u'.repeat(107)}"`);
/** At times. */
const seldom = (value: Written): Written => fc.oneof({ weight: 3, arbitrary: one(NONE) }, value);
const further = {
  forkedFrom: seldom(object({ messageUuid: one('"u0"', '"u1"') })),
  isCompactSummary: seldom(one('true')),
  logicalParentUuid: seldom(one('"u0"')),
  isMeta: seldom(one('true')),
  sourceToolUseID: seldom(one('"t1"')),
  isApiErrorMessage: seldom(one('true')),
  ['__proto__']: seldom(one('{"uuid":"x"}')),
};
const answerLine = object({
  ...envelope,
  message: object({
    model: one('"claude-x"', '"claude-x"', '"claude-y"', '"claude-y"', '"é"', '"<synthetic>"'),
    id: one('"m1"', '"m2"'),
    role: one('"assistant"'),
    content: list(text, call, call),
    stop_reason: one('null', '"end_turn"'),
    usage,
  }),
  requestId: one('"r1"'),
  costUSD: one('0.25'),
  type: one('"assistant"'),
  ...further,
  uuid,
});
const resultLine = object({
  ...envelope,
  type: one('"user"'),
  message: object({
    role: one('"user"'),
    content: fc.oneof({ weight: 6, arbitrary: list(result) }, list(text, result), said),
  }),
  uuid,
  ...further,
  toolUseResult: detail,
});

const insert = (line: string, at: number, codes: string, instead = 0): string =>
  line.slice(0, at) + codes + line.slice(at + instead);
/** What crashes and other programs do to a line. */
const DAMAGES: readonly ((line: string, at: number) => string)[] = [
  (line, at) => insert(line, at, '\xff'),
  (line, at) => insert(line, at, '\xed\xa0\x80'),
  (line, at) => insert(line, at, '\0'),
  (line, at) => insert(line, at, '"', 1),
  (line, at) => insert(line, at, '\\', 1),
  (line, at) => line.slice(0, at),
  (line, at) => line.slice(0, at) + line,
  (line) => `\0\0${line}`,
  (line) => `${line}\0\0`,
  (line) => `\xef\xbb\xbf${line}`,
  (line) => `\t ${line} \r`,
];

/** The codes of its bytes, with the newline. */
export const anyLine: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(answerLine, resultLine), fc.nat({ max: 99 }), fc.nat())
  .map(([text, damage, at]) => {
    const line = encodeCodes(text);
    return `${DAMAGES[damage]?.(line, at % line.length) ?? line}\n`;
  });
