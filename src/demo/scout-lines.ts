import { call, Script, text } from './envelope.ts';

export const SCOUT_PROMPT =
  'List every place in this repository that turns a Date into text, with file and line. Do not change anything.';

export const SCOUT_ANSWER =
  'Two places:\n\n- `src/format.ts:3` uses local hours\n- `src/log.ts:12` uses `toISOString()`\n\nOnly the first is wrong across a change to summer time.';

/** What the sub-agent did. */
export function scoutLines(session: string): readonly object[] {
  const script = new Script(session, 'a5c0071', 4);
  script.user('s01', SCOUT_PROMPT);
  script.answer('s02', call('s02', 'Grep', { pattern: 'getHours|toISOString', output_mode: 'content' }));
  script.result(
    's03',
    'toolu_demo_s02',
    'src/format.ts:3:  const h = d.getHours();\nsrc/log.ts:12:  return d.toISOString();',
    undefined,
  );
  script.answer('s04', text(SCOUT_ANSWER));
  return script.lines;
}
