// Writes the program and the library into dist/ as a few files: a hundred small ones take longer to load than to run.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { rolldown } from 'rolldown';

const root = new URL('..', import.meta.url);
const { exports, dependencies = {} } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const targets = Object.values<{ default: string }>(exports).map((entry) => entry.default);
// A thread is started with a file of its own; `src/sources/worker-url.ts` knows where it lies.
const workers = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.worker.ts'))
  .map((path) => `./dist/${path.replace(/\.ts$/, '.js')}`);
const names = [...targets, './dist/cli/main.js', ...workers].map((target) =>
  target.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
);

const bundle = await rolldown({
  cwd: root.pathname,
  platform: 'node',
  input: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])),
  // React has a build for people who develop with it, and Ink looks for tools of theirs: neither is for us.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  plugins: [
    {
      name: 'no-devtools',
      load: { filter: { id: /ink\/build\/devtools\.js$/ }, handler: () => 'export default null;' },
    },
  ],
  external: (id) => isBuiltin(id) || Object.keys(dependencies).includes(id),
});
// Those of the last time have other names. Nothing else is removed: packing runs this once more after the declarations are written.
rmSync(new URL('dist/chunks', root), { recursive: true, force: true });
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // What every command needs is one file.
  codeSplitting: {
    groups: [
      // Searching is needed by few commands, and a worker must be a file of its own.
      { name: 'engine', test: /src\/(model|formats|tree|sources|history(?!\/scan)|demo)\// },
      {
        name: 'text',
        test: /src\/(views\/(text|visit|printable)|terminal\/(output|style)|cli\/(table|options|output|find-session|show\/(index|text)|commands\/show))/,
      },
    ],
  },
});

// The launcher of a checkout compares these: a source that was changed since makes it run the sources.
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
const sources = [...new Set(modules)].filter((path) => path.startsWith(`${root.pathname}src/`)).sort();
const stamps = sources.map((path) => [path.slice(root.pathname.length - 1), statSync(path).mtimeMs]);
writeFileSync(new URL('dist/sources.json', root), JSON.stringify(stamps));

// What is bundled carries its licence with it.
const packages = new Set(modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
// Inside the page's script, which is a text by now.
packages.add('highlight.js');
const licences = [...packages].sort().map((name) => {
  const folder = new URL(`node_modules/${name}/`, root);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? mitText(name, folder) : readFileSync(new URL(file, folder), 'utf8');
  return `${name}\n\n${text.trim()}\n`;
});
writeFileSync(new URL('dist/third-party-licenses.txt', root), licences.join('\n---\n\n'));

/** Some packages only name their licence; that of MIT is the text of ours. */
function mitText(name: string, folder: URL): string {
  const { license, author } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  if (license !== 'MIT') throw new Error(`${name} has no licence file`);
  const ours = readFileSync(new URL('LICENSE', root), 'utf8');
  return ours.replace(/^Copyright.*$/m, `Copyright (c) ${author?.name ?? author ?? `the authors of ${name}`}`);
}
