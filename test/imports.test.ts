import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findViolations, pureFolders } from './import-rules.ts';

const root = join(import.meta.dirname, '..');
const src = join(root, 'src');

describe('P2: the import table', () => {
  test('holds for every file of src', () => {
    const files = filesBelow(src).filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file));
    expect(files.flatMap((file) => findViolations(pathInSrc(file), readFileSync(file, 'utf8')))).toEqual([]);
  });

  test('has the pure folders that tsconfig.pure.json compiles without Node and DOM', () => {
    const text = readFileSync(join(root, 'tsconfig.pure.json'), 'utf8').replace(/^\/\/.*$/gm, '');
    expect(JSON.parse(text).include).toEqual(pureFolders.map((folder) => `src/${folder}`));
  });

  test.each([
    ['tree/a.ts', `import { x } from '../formats/index.ts';`],
    ['tree/a.ts', `import type { X } from '../formats/index.ts';`],
    ['tree/a.ts', `export { x } from '../usage/index.ts';`],
    ['tree/a.ts', `export * from '../usage/index.ts';`],
    ['tree/a.ts', `const x = await import('../sources/index.ts');`],
    ['tree/a.ts', `type X = import('../sources/index.ts').X;`],
    ['tree/a.ts', `import '../../test/x.ts';`],
    ['tree/a.ts', `import { readFileSync } from 'node:fs';`],
    ['tree/a.ts', `import { join } from 'path';`],
    ['tree/worker.ts', `import { x } from '../stores/sqlite/index.ts';`],
    ['web/a.ts', `import 'node:fs';`],
    ['formats/pi/a.ts', `import { x } from '../other/index.ts';`],
    ['formats/pi/a.ts', `import { x } from '../index.ts';`],
    ['formats/lines/a.ts', `import { x } from '../pi/index.ts';`],
    ['journal/a.ts', `import { x } from '../formats/index.ts';`],
    ['server/a.ts', `import { x } from '../stores/sqlite/index.ts';`],
    ['server/a.ts', `import { z } from 'zod';`],
    ['api/a.ts', `import { x } from '../model/index.ts';`],
    ['helpers/a.ts', ''],
  ])('refuses in %s: %s', (file, source) => {
    expect(findViolations(file, source)).toHaveLength(1);
  });

  test.each([
    ['tree/a.ts', `import { x } from '../model/index.ts'; import { y } from './b.ts';`],
    ['formats/index.ts', `import { x } from './pi/index.ts';`],
    ['formats/pi/a.ts', `import { x } from '../lines/index.ts'; import { y } from './b.ts';`],
    ['journal/a.ts', `import { x } from '../formats/pi/index.ts'; import 'node:fs';`],
    ['server/a.ts', `import type { Store } from '../stores/store.ts';`],
    ['ingest/parse.worker.ts', `import { x } from '../journal/index.ts';`],
    ['api/a.ts', `import type { X } from '../model/index.ts'; import { z } from 'zod';`],
    ['cli/main.ts', `import { x } from '../stores/sqlite/index.ts'; import { Command } from 'commander';`],
  ])('allows in %s: %s', (file, source) => {
    expect(findViolations(file, source)).toEqual([]);
  });
});

test('P1: no file of src/tree names a log format', () => {
  const named = /claude|\bpi\b|oh-?my-?pi|codex|message\.id|<command-name>|toolu_/i;
  const found = filesBelow(join(src, 'tree')).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (named.test(line) ? [`${pathInSrc(file)}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function pathInSrc(file: string): string {
  return relative(src, file).split(sep).join('/');
}
