import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pureFolders } from '../import-rules.ts';
import { findWrites } from './door-rules.ts';

const src = join(import.meta.dirname, '../../src');

test('attack B2: nothing writes to a terminal but the one door', () => {
  // The pure folders know no process: a use of it does not compile.
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !pureFolders.some((pure) => file.startsWith(pure)));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => findWrites(file, readFileSync(join(src, file), 'utf8')))).toEqual([]);
});

test.each([
  'process.stdout.write(x);',
  'const out = process.stderr; out.write(x);',
  'const { stdout } = process;',
  'run(process);',
  "process['stdout'].write(x);",
  'console.log(x);',
  'writeSync(1, x);',
  "writeFileSync(2, 'x');",
  "import { stdout } from 'node:process';",
  "import { Console } from 'node:console';",
  "import { spawn } from 'node:child_process';",
  "import { listStreams } from '../terminal/streams.ts';",
])('attack B2: such a writer is found: %s', (source) => {
  expect(findWrites('cli/a.ts', source)).not.toEqual([]);
});

test.each([
  'const columns = process.stdout.isTTY ? process.stdout.columns : 80;',
  'process.exitCode = 1;',
  "import type { Streams } from '../terminal/streams.ts';",
])('attack B2: this is no writer: %s', (source) => {
  expect(findWrites('cli/a.ts', source)).toEqual([]);
});
