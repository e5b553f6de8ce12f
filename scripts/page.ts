// Writes src/views/html/page-assets.ts: the page's script and style as text, with the hashes its policy needs.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const root = new URL('..', import.meta.url);
const bundle = await rolldown({ cwd: root.pathname, platform: 'browser', input: 'src/views/html/page/main.ts' });
const { output } = await bundle.generate({ format: 'iife', minify: true });
// These would end the script element, or begin a comment in it. The escapes mean the same in texts and in regular expressions.
const script = output[0].code
  .trim()
  .replace(/<\/(script)/gi, '<\\/$1')
  .replaceAll('<!--', '<\\x21--');
const style = readFileSync(new URL('src/views/html/page/style.css', root), 'utf8')
  .replace(/\s+/g, ' ')
  .replace(/ ?([{};,>]) ?/g, '$1')
  .replaceAll(': ', ':')
  .trim();
const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

writeFileSync(
  new URL('src/views/html/page-assets.ts', root),
  `// Made by \`npm run page\` from the files in page/; a test holds it to them.
export const pageScript: string = ${JSON.stringify(script)};
export const pageScriptHash = '${hash(script)}';
export const pageStyle: string = ${JSON.stringify(style)};
export const pageStyleHash = '${hash(style)}';
`,
);
