import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

interface Rule {
  /** Folders (or single files) of `src/` that this folder may import, beside itself. */
  readonly imports: readonly string[];
  /** Of these it may import types only. */
  readonly types?: readonly string[];
  /** Whether it may import `node:*`. */
  readonly node: boolean;
}

const pure = (...imports: string[]): Rule => ({ imports, node: false });
const node = (...imports: string[]): Rule => ({ imports, node: true });

const projections = ['usage', 'context', 'chat', 'outline', 'messages'];

/** The pure folders: the same code runs in Node and in a browser. */
const above: Record<string, Rule> = {
  model: pure(),
  formats: pure('model'),
  tree: pure('model'),
  usage: pure('model', 'tree'),
  context: pure('model', 'tree', 'usage'),
  chat: pure('model', 'tree', 'usage', 'context'),
  outline: pure('model', 'tree'),
  messages: pure('model', 'tree'),
  search: pure('model'),
  redact: pure('model'),
  selector: pure('model', 'tree'),
  views: pure('model', 'tree', ...projections, 'search', 'redact'),
  demo: pure(),
};

export const pureFolders: readonly string[] = Object.keys(above);

const below: Record<string, Rule> = {
  // Folders and files as all who write make them.
  files: node(),
  // What everything that a person sees goes through.
  terminal: node('views'),
  sources: node('model', 'formats'),
  history: node(...pureFolders, 'sources'),
  journal: node('model', 'files', 'formats/pi', 'tree', 'context'),
  stores: node('model', 'files', 'search'),
  ingest: node(...pureFolders, 'files', 'sources', 'history', 'stores'),
  // The entry points of the package that put the parts together, like `cli/`.
  library: node(...pureFolders, 'sources', 'history', 'stores', 'ingest'),
  // `web/` runs in a browser and imports both of these.
  api: { imports: [], types: ['model', ...projections], node: false },
  client: { imports: ['api'], node: false },
  // The ports are the store's contract and what `model/` declares; the stores themselves come in through `cli/` and the workers.
  server: node(...pureFolders, 'sources', 'history', 'journal', 'stores/store.ts', 'ingest', 'api'),
  web: { imports: [...pureFolders, 'api', 'client'], node: false },
  tui: node(...pureFolders, 'sources', 'history', 'journal', 'terminal', 'api', 'client'),
};

const table: Record<string, Rule> = {
  ...above,
  ...below,
  cli: node(...pureFolders, ...Object.keys(below).filter((folder) => folder !== 'web')),
};

/** A folder of members that do not know each other. Only the list, its `index.ts`, imports them. */
const families = ['formats', 'views', 'stores'];

/** What the members of a family have in common. */
const shared = ['formats/lines'];

/** What only one folder may import. */
const onlyIn: Record<string, string> = {
  zod: 'api',
  'node:sqlite': 'stores',
  commander: 'cli',
  ink: 'tui',
  react: 'tui',
};

/** Worker entries put the parts together, like `cli/`. */
const isWorkerEntry = (file: string) => /(^|[/.-])worker\.ts$/.test(file);

/** What is wrong with the imports of one file; `file` is its path below `src/`. */
export function findViolations(file: string, source: string): string[] {
  const folder = topOf(file);
  const rule = table[folder];
  if (!rule) return [`${file}: src/${folder} is not in the import table`];
  return readImports(file, source).flatMap((found) => {
    const problem = found.specifier.startsWith('.')
      ? checkFile(file, rule, { ...found, specifier: posix.join(posix.dirname(file), found.specifier) })
      : checkPackage(folder, rule, found.specifier);
    return problem ? [`${file}: ${problem}`] : [];
  });
}

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function readImports(file: string, source: string): Import[] {
  const { program, module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const imports: Import[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  for (const { moduleRequest, isType } of module.staticExports.flatMap((statement) => statement.entries)) {
    if (moduleRequest) imports.push({ specifier: moduleRequest.value, typeOnly: isType });
  }
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === 'Literal') imports.push({ specifier: String(source.value), typeOnly: false });
    },
    TSImportType({ source }) {
      imports.push({ specifier: source.value, typeOnly: true });
    },
  }).visit(program);
  return imports;
}

function checkFile(file: string, rule: Rule, { specifier: target, typeOnly }: Import): string | null {
  if (target.startsWith('..')) return `imports ${target}, outside of src/`;
  const [from, to] = [topOf(file), topOf(target)];
  if (from === to) return checkMembers(file, target);
  if (rule.node && isWorkerEntry(file)) return null;
  const covers = (allowed: string) => target === allowed || target.startsWith(`${allowed}/`);
  if (rule.imports.some(covers)) return null;
  if (!rule.types?.some(covers)) return `${from} may not import ${target}`;
  return typeOnly ? null : `${from} may import only types of ${target}`;
}

function checkMembers(file: string, target: string): string | null {
  const family = topOf(file);
  const member = memberOf(target);
  if (!families.includes(family) || file === `${family}/index.ts`) return null;
  if (member === memberOf(file) || shared.includes(`${family}/${member}`)) return null;
  if (member === null && target !== `${family}/index.ts`) return null;
  return `only ${family}/index.ts imports the members of ${family}, this one imports ${target}`;
}

function checkPackage(folder: string, rule: Rule, name: string): string | null {
  const home = onlyIn[name] ?? folder;
  if (home !== folder) return `${name} is imported only in ${home}`;
  return isBuiltin(name) && !rule.node ? `${folder} may not import ${name}` : null;
}

const topOf = (file: string) => file.split('/')[0] ?? '';

/** `formats/pi/open.ts` → `pi`; a file directly in the family's folder belongs to no member. */
const memberOf = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] ?? null) : null);
