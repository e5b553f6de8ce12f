// Writes src/formats/lines/scanner/scanner-code.ts: `assembly/scan.ts` as WebAssembly. It is made after every install and not kept with
// the sources.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const source = fileURLToPath(new URL('src/formats/lines/scanner/assembly/scan.ts', root));
const target = new URL('src/formats/lines/scanner/scanner-code.ts', root);
/** A line, a value, and what lies before and between them, in pages of 64 KB. */
const PAGES = '35';
const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
const MEMORY = ['--initialMemory', PAGES, '--maximumMemory', PAGES];

const stamp = createHash('sha256').update(readFileSync(source)).update(`${OPTIONS}${MEMORY}`).digest('hex');
const head = `// Made by \`npm run scanner\` from assembly/scan.ts, ${stamp}\n`;
// Left alone where it is of the same source: compiling takes a second, and a newer file would make the launcher take the bundle for outdated.
if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(head))
  writeFileSync(target, `${head}export const scannerCode: string =\n  '${compile()}';\n`);

function compile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skein-scanner-'));
  try {
    const compiler = fileURLToPath(import.meta.resolve('assemblyscript/bin/asc.js'));
    const code = join(folder, 'scan.wasm');
    execFileSync(process.execPath, [compiler, source, '-o', code, ...OPTIONS, ...MEMORY], { stdio: 'inherit' });
    return readFileSync(code).toString('base64');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
