import { parseSync, Visitor } from 'oxc-parser';

/** The door itself. */
const DOOR = 'terminal/output.ts';
/** Who draws on a terminal, and lets each text through `forTerminal` first. */
const DRAWS = [
  'terminal/',
  'tui/tree-app.ts',
  'cli/picker.ts',
  'cli/search/search-screen.ts',
  'cli/commands/forget.ts',
];
/** Who starts programs: pagers, which are given what went through `forTerminal`; the browser; this program again. */
const STARTS = ['tui/page-text.ts', 'cli/pager.ts', 'cli/open-browser.ts', 'cli/search/open-hit.ts'];

/** What may be asked of a stream anywhere. */
const FACTS = new Set(['isTTY', 'columns', 'rows']);

/** Where a file of `src/` writes to the terminal beside the door; `file` is its path below `src/`. */
export function findWrites(file: string, source: string): string[] {
  const { program, module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const found: string[] = [];
  const isAllowed = (list: readonly string[]): boolean => list.some((each) => file.startsWith(each));
  for (const { moduleRequest } of module.staticImports) {
    const name = moduleRequest.value.replace(/^node:/, '');
    if (['process', 'console', 'tty', 'repl'].includes(name)) found.push(name);
    if (name === 'child_process' && !isAllowed(STARTS)) found.push(name);
    if (name.endsWith('terminal/streams.ts') && !isAllowed(DRAWS) && !isTypeOnly(source, moduleRequest.value))
      found.push(name);
  }
  if (file === DOOR || file === 'terminal/streams.ts') return found;
  const harmless = new Set<unknown>();
  new Visitor({
    MemberExpression({ object, property, computed }) {
      if (isStream(object) && property.type === 'Identifier' && FACTS.has(property.name)) harmless.add(object);
      if (object.type !== 'Identifier') return;
      if (object.name === 'process' && !computed) harmless.add(object);
      if (object.name === 'console') found.push('console');
    },
    Identifier(node) {
      // Handed on as a whole, it hands on its streams.
      if (node.name === 'process' && !harmless.has(node)) found.push('process');
    },
    CallExpression({ callee, arguments: [first] }) {
      // The numbers of the streams as files.
      const name = callee.type === 'Identifier' ? callee.name : '';
      if (/^(write|append|createWrite)/.test(name) && first?.type === 'Literal' && typeof first.value === 'number')
        found.push(name);
    },
  }).visit(program);
  new Visitor({
    MemberExpression(node) {
      if (isStream(node) && !harmless.has(node)) found.push('process.stdout or process.stderr');
    },
  }).visit(program);
  return found.map((what) => `${file}: ${what}`);
}

interface Member {
  readonly type: string;
  readonly object?: { readonly type: string; readonly name?: string };
  readonly property?: { readonly type: string; readonly name?: string };
}

const isStream = (node: unknown): boolean => {
  const { type, object, property } = node as Member;
  return type === 'MemberExpression' && object?.name === 'process' && /^std(out|err)$/.test(property?.name ?? '');
};

const isTypeOnly = (source: string, specifier: string): boolean =>
  source.includes(`from '${specifier}'`) && new RegExp(`import type [^;]*from '${specifier}'`).test(source);
