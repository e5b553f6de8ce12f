import type { Command, Option } from './command.ts';

/** Zsh. `_arguments` knows which option takes what; ids and titles go to `compadd`, which quotes the ids and prints the titles. */
export function zshScript(commands: readonly Command[]): string {
  const list = commands
    .filter(({ name }) => name !== '')
    .map(({ name, summary }) => `      ${quote(`${name}:${summary.replace(/\\/g, '\\\\')}`)}`);
  const branches = commands.map(({ name, options, argument }) => {
    const specs = options.flatMap((option) => option.names.map((each) => quote(zshOption(each, option))));
    if (argument !== 'none') specs.push(quote(`:${argument}:${ZSH_ACTIONS[argument]}`));
    return `    ${quote(name)})
      _arguments -S \\
${specs.map((spec) => `        ${spec}`).join(' \\\n')}
      ;;`;
  });
  return `#compdef skein
# Completion of skein for zsh.  Use it now:  source <(skein completion zsh)

_skein() {
  local command=\${words[2]}
  if (( CURRENT == 2 )) && [[ $command != -* ]]; then
    local -a commands=(
${list.join('\n')}
    )
    _describe -t commands 'command' commands
    return
  fi
  if [[ $command == -* ]]; then
    command=''
  else
    shift words
    (( CURRENT-- ))
  fi
  case "$command" in
${branches.join('\n')}
  esac
}

_skein_sessions() {
  local id title
  local -a ids rows
  if [[ $PREFIX != */* && $PREFIX != [.~]* ]]; then
    while IFS=$'\\t' read -r id title; do
      if [[ -z $id || $id == *[^A-Za-z0-9._-]* ]]; then continue; fi
      title="$id  $title"
      ids+=("$id")
      rows+=("\${title[1,COLUMNS-2]}")
    done < <(command skein __complete sessions "$PREFIX" 2>/dev/null)
  fi
  if (( \${#ids} )); then
    compadd -V sessions -l -d rows -a ids
  else
    _files
  fi
}

if [[ $funcstack[1] == _skein ]]; then
  _skein "$@"
elif (( $+functions[compdef] )); then
  compdef _skein skein
else
  print -u2 'skein: completion needs compinit; put this in ~/.zshrc first:  autoload -Uz compinit && compinit'
fi
`;
}

const ZSH_ACTIONS = { session: '_skein_sessions', file: '_files', dir: '_files -/', none: ' ' } as const;

function zshOption(name: string, { description, value }: Option): string {
  const text = description.replace(/[\\[\]:]/g, '\\$&');
  if (!value) return `*${name}[${text}]`;
  const action = value.choices.length > 0 ? `(${value.choices.join(' ')})` : ZSH_ACTIONS[value.kind];
  return `*${name}${name.startsWith('--') ? '=' : '+'}[${text}]:${value.kind === 'none' ? 'value' : value.kind}:${action}`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
