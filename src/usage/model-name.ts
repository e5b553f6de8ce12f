/** A model as people call it. */
export interface ModelName {
  /** As the log has it. */
  readonly id: string;
  /** `opus`, `sonnet`, `gpt`: null when the name says nothing known. */
  readonly family: string;
  /** `4.6`; empty when the name has none. */
  readonly version: string;
  /** `Opus 4.6`, `gpt-5.2-codex`. */
  readonly label: string;
}

const CLAUDE = /(?:^|[./:-])claude-(.+)$/;
const FAMILY = /^[a-z]+$/;

/**
 * Names vary with the place a model is bought at: `claude-opus-4-6-20260105`, `claude-opus-4.6[1m]`, `us.anthropic.claude-opus-4-6-v1:0`,
 * `anthropic/claude-opus-4-6@20260105`, `claude-3-5-haiku-latest`. All keep family and version.
 */
export function readModelName(id: string): ModelName {
  const known = names.get(id);
  if (known) return known;
  if (names.size >= MOST_NAMES) names.clear();
  const name = read(id);
  names.set(id, name);
  return name;
}

/** Logs have few models and many responses. */
const names = new Map<string, ModelName>();
const MOST_NAMES = 1000;

function read(id: string): ModelName {
  const plain = plainName(id);
  const claude = CLAUDE.exec(plain)?.[1];
  if (claude === undefined) return readOther(id, plain);
  const words = claude.split('-');
  const family = words.find((word) => FAMILY.test(word)) ?? '';
  const version = words.filter((word) => /^\d{1,2}(\.\d+)*$/.test(word)).join('.');
  return { id, family, version, label: [capital(family), version].filter(Boolean).join(' ') || id };
}

/** Without vendor, date, revision and marks: what is left is family and version. */
function plainName(id: string): string {
  return id
    .toLowerCase()
    .replace(/\[.*?\]/g, '')
    .replace(/^.*\//, '')
    .replace(/@[\w-]*$/, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace(/:.*$/, '')
    .replace(/-(latest|thinking)\b/g, '')
    .replace(/-20\d{6}\b/g, '');
}

/** `gpt-5.2-codex` → `gpt`, `5.2`; the label of a vendor we do not know is its own name. */
function readOther(id: string, plain: string): ModelName {
  const family = /^[a-z]+/.exec(plain)?.[0] ?? '';
  const version = /(?:^|[a-z-])(\d+(?:\.\d+)*)/.exec(plain)?.[1] ?? '';
  return { id, family, version, label: plain || id };
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
