// Writes src/views/html/page-assets.ts: the page's script and style as text, with the hashes its policy needs. It holds bundled
// packages, so it is made after every install and not kept with the sources.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const root = new URL('..', import.meta.url);
const script = `${licence('highlight.js')}${await bundled('main')}`;
const listScript = await bundled('list');
const style = readFileSync(new URL('src/views/html/page/style.css', root), 'utf8')
  .replace(/\s+/g, ' ')
  .replace(/ ?([{};,>]) ?/g, '$1')
  .replaceAll(': ', ':')
  .trim();
const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

const path = new URL('src/views/html/page-assets.ts', root);
const text = `// Made by \`npm run page\` from the files in page/.
export const pageScript: string = ${JSON.stringify(script)};
export const pageScriptHash = '${hash(script)}';
export const listScript: string = ${JSON.stringify(listScript)};
export const listScriptHash = '${hash(listScript)}';
export const pageStyle: string = ${JSON.stringify(style)};
export const pageStyleHash = '${hash(style)}';
`;
// Left alone where it is the same: a newer file would make the launcher take the bundle for outdated.
if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);

async function bundled(name: string): Promise<string> {
  const bundle = await rolldown({ cwd: root.pathname, platform: 'browser', input: `src/views/html/page/${name}.ts` });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  // These would end the script element, or begin a comment in it. The escapes mean the same in texts and in regular expressions.
  return output[0].code
    .trim()
    .replace(/<\/(script)/gi, '<\\/$1')
    .replaceAll('<!--', '<\\x21--');
}

/** Pages are handed on, and with them the code in them. */
function licence(name: string): string {
  const said = readFileSync(new URL(`node_modules/${name}/LICENSE`, root), 'utf8').trim();
  return `/* ${name}\n${said.replaceAll('*/', '* /')} */\n`;
}
