import { expect, test } from 'vitest';
import { renderPage } from '../../../src/views/html/render-page.ts';
import { assistant, toolResult, toolUse, user } from '../../kit/transcript.ts';
import { claudeOutline } from '../../outline/view.ts';

const pageOf = (lines: readonly object[]): string =>
  [...renderPage(claudeOutline(lines).outline, { title: 't', facts: [] })].join('');

test('O12 what asks for something in the background leads to the call that started it', () => {
  const page = pageOf([
    user('u', null, 'go'),
    assistant('a', 'u', [toolUse('T1', 'Bash', { command: 'npm run dev', run_in_background: true })]),
    user('r', 'a', [toolResult('T1', 'Command running in background with ID: dce0af')], {
      toolUseResult: { stdout: '', stderr: '', backgroundTaskId: 'dce0af' },
    }),
    assistant('b', 'r', [
      toolUse('T2', 'BashOutput', { bash_id: 'dce0af' }),
      toolUse('T3', 'KillShell', { shell_id: 'other' }),
    ]),
    user('s', 'b', [toolResult('T2', '<status>running</status>')]),
  ]);
  expect(page.match(/<a class="quiet" href="#[^"]*">started here<\/a>/g)).toEqual([
    '<a class="quiet" href="#a">started here</a>',
  ]);
});

test('O11 titles, contents and heads of calls have no colours of a terminal', () => {
  const red = '\u001b[31mred\u001b[0m \u001b]0;owned\u0007alert';
  const lines = [user('u', null, red), assistant('a', 'u', [toolUse('T', 'Bash', { command: red })])];
  const page = [...renderPage(claudeOutline(lines).outline, { title: red, facts: [] })].join('');
  expect(page.match(/<title>.*?<\/title>|<p class="title">.*?<\/p>|<a href="#u">.*?<\/a>/g)).toEqual([
    '<title>red alert</title>',
    '<p class="title">red alert</p>',
    '<a href="#u">red alert</a>',
  ]);
  expect(page).toContain('<span class="who">Bash</span> <span class="what">red alert</span>');
});

test('O12 an answer says which model gave it', () => {
  const page = pageOf([user('u', null, 'go'), assistant('a', 'u', 'yes')]);
  expect(page).toContain('<span class="quiet">claude-x</span>'.replace('claude-x', 'X'));
});

test.each([
  [
    'TodoWrite',
    {
      todos: [
        { content: 'a', status: 'completed' },
        { content: 'b', status: 'pending' },
      ],
    },
    '1 of 2 done',
  ],
  ['TaskCreate', { subject: 'the subject', description: 'the description' }, 'the subject'],
  ['BashOutput', { bash_id: 'dce0af' }, 'dce0af'],
])('O12 the head of %s says what it is about', (name, input, said) => {
  const page = pageOf([user('u', null, 'go'), assistant('a', 'u', [toolUse('T', name, input)])]);
  expect(page).toContain(`<span class="who">${name}</span> <span class="what">${said}</span>`);
});
