import { isSecretName } from './secret-names.ts';

const ROOTS =
  /^(?:process|os|this|self|req|request|res|config|cfg|conf|env|opts|options|args|argv|params|props|ctx|context|user|state|data|body|input|settings|event|var|local|secrets|vars|github|inputs|steps|import|z|t|schema|Joi|yup|types|faker|crypto|jwt|auth|session|credentials|creds|client|account|json|response|result|headers|payload|app|std|core|string|typing|v|it|obj|item|row|form|values|defaults)$/;
const KEYWORDS =
  /^(?:new|await|async|function|typeof|return|class|not|lambda|if|else|for|in|of|and|or|yield|void|delete|def|fn|let|const|var)$/;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z_$]*$/;
const PATH = /^[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[A-Za-z_$][\w$]*)+$/;

/**
 * `const token = readToken()`, `password: string`, `apiKey=apiKey`: what stands there without quotes names a value and is none. `after`: what
 * follows; `isTight`: there is no space around the sign, as in settings.
 */
export function looksLikeCode(value: string, after: string, name: string, isTight: boolean): boolean {
  if (KEYWORDS.test(value) || /^(?:[&*!@]+[A-Za-z_]\w*|!\d|[A-Z]\d?)$/.test(value)) return true;
  if (
    /^[A-Za-z_$][\w$.?!:]*[([]/.test(value) ||
    (/^[A-Za-z_$][\w$.:]*$/.test(value) && /^(?:[([]|<(?!\/))/.test(after))
  )
    return true;
  if (/^\d{1,3}$/.test(value) || (/^[\d._]+$/.test(value) && /token|key/i.test(name))) return true;
  if (PATH.test(value)) {
    const parts = value.split(/\?\.|!\.|\.|::|->/);
    return (
      ROOTS.test(parts[0] ?? '') ||
      (parts[0] ?? '').length === 1 ||
      isSecretName(parts.at(-1) ?? '') ||
      (!isTight && /^\s*[;,)}\]]/.test(after))
    );
  }
  if (!IDENTIFIER.test(value)) return false;
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  if (plain(value) === plain(name)) return true;
  const last = /[A-Z]?[a-z]+$|[A-Z]+$/.exec(name)?.[0].toLowerCase() ?? name;
  if (plain(value).endsWith(last) && (/[a-z][A-Z]/.test(value) || /^\s*[,;)}\]|&?+]/.test(after))) return true;
  // A word that a comma or a bracket ends: a name in an expression, but not in `Password=word;`.
  if (/^\s*[,)}\]]/.test(after) || (!isTight && /^(?:;|\s(?:\||&&|\?|=>|\+|===?))/.test(after))) return true;
  return !isTight && /^(?: [a-z])/.test(after);
}
