// Writes src/formats/lines/scanner/scanner-code.ts: `assembly/scan.ts` as WebAssembly. `--check` only says whether it is of that source.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = new URL('../src/formats/lines/scanner/', import.meta.url);
const path = new URL('scanner-code.ts', folder);
/** A line, and what lies before and after it, in pages of 64 KB. */
const PAGES = '18';
const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
const MEMORY = ['--initialMemory', PAGES, '--maximumMemory', PAGES];

const made = `// Made by \`npm run scanner\` from assembly/scan.ts.\nexport const scannerCode: string =\n  '${compile()}';\n`;
const isSame = existsSync(path) && readFileSync(path, 'utf8') === made;
if (process.argv.includes('--check')) {
  if (!isSame) console.error('scanner-code.ts is not of assembly/scan.ts: run npm run scanner');
  process.exitCode = isSame ? 0 : 1;
} else if (!isSame) writeFileSync(path, made);

function compile(): string {
  const temporary = mkdtempSync(join(tmpdir(), 'skein-scanner-'));
  try {
    const compiler = fileURLToPath(import.meta.resolve('assemblyscript/bin/asc.js'));
    const source = fileURLToPath(new URL('assembly/scan.ts', folder));
    const code = join(temporary, 'scan.wasm');
    execFileSync(process.execPath, [compiler, source, '-o', code, ...OPTIONS, ...MEMORY], { stdio: 'inherit' });
    return readFileSync(code).toString('base64');
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
