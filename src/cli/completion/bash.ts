import { type Command, type Kind, namesOf, withValue } from './command.ts';

/**
 * Bash. `compgen -W` would run what is in its words, so words are compared one by one. Titles are shown in lists only (COMP_TYPE), never
 * inserted, and an id that is not plain is left out: bash would put it on the command line without quotes.
 */
export function bashScript(commands: readonly Command[]): string {
  const branches = commands.map(({ name, options, argument }) => {
    const values = withValue(options).map(
      ({ names, value }) => `        ${names.join('|')}) ${bashValue(value?.kind, value?.choices)} ;;`,
    );
    return `    '${name}')
      takes=' ${namesOf(withValue(options)).join(' ')} '
      options='${namesOf(options).join(' ')}'
      argument='${argument}'
      case "$option" in
${[...values, '        *) _skein_rest ;;'].join('\n')}
      esac
      ;;`;
  });
  return `# Completion of skein for bash.  Use it now:  source <(skein completion bash)

_skein() {
  local word cur=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]-}
  local takes options argument
  COMPREPLY=()
  # --as=html comes as three words.
  if [[ $cur == '=' ]]; then cur=''
  elif [[ $option == '=' ]]; then option=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if (( COMP_CWORD == 1 )); then
    option=''
    if [[ $cur != -* ]]; then
      _skein_words ${names(commands).join(' ')}
      return
    fi
  fi
  if [[ $command == -* ]]; then command=''; fi
  case "$command" in
${branches.join('\n')}
  esac
}

# An option, or the one argument of the command if it is not there yet.
_skein_rest() {
  local i=2 given=0 ended=0
  if [[ $command == '' ]]; then i=1; fi
  for (( ; i < COMP_CWORD; i++ )); do
    word=\${COMP_WORDS[i]}
    if (( ended )); then given=1
    elif [[ $word == '--' ]]; then ended=1
    elif [[ $word == '=' || ( $word == -* && $takes == *" $word "* && \${COMP_WORDS[i+1]-} != '=' ) ]]; then (( i++ ))
    elif [[ $word != -* ]]; then given=1
    fi
  done
  if [[ $cur == -* && $ended == 0 ]]; then _skein_words $options
  elif (( ! given )); then
    case "$argument" in
      session) _skein_sessions ;;
      file) _skein_paths default ;;
    esac
  fi
}

_skein_words() {
  for word in "$@"; do
    if [[ $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done
}

# Readline completes and quotes paths itself when nothing else is offered; bash 3 cannot be told so.
_skein_paths() {
  compopt -o "$1" 2>/dev/null && return
  local action=file
  if [[ $1 == dirnames ]]; then action=directory; fi
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -A "$action" -- "$cur")
}

_skein_sessions() {
  local id title i ids=() titles=() seen=' '
  if [[ $cur != */* && $cur != [.~]* ]]; then
    while IFS=$'\\t' read -r id title; do
      if [[ $id != "$cur"* || $id == '' || $id == *[!A-Za-z0-9._-]* || $seen == *" $id "* ]]; then continue; fi
      seen+="$id "
      ids+=("$id")
      titles+=("$title")
    done < <(command skein __complete sessions "$cur" 2>/dev/null)
  fi
  if (( \${#ids[@]} == 0 )); then
    _skein_paths default
    return
  fi
  compopt -o nosort 2>/dev/null
  COMPREPLY=("\${ids[@]}")
  # 63, 33 and 64: a list is shown.
  if (( \${#ids[@]} > 1 )) && [[ \${COMP_TYPE-} == 63 || \${COMP_TYPE-} == 33 || \${COMP_TYPE-} == 64 ]]; then
    for i in "\${!ids[@]}"; do
      word="\${ids[i]}  \${titles[i]}"
      COMPREPLY[i]=\${word:0:\${COLUMNS:-80}-2}
    done
  fi
}

complete -F _skein skein
`;
}

function bashValue(kind: Kind | undefined, choices: readonly string[] = []): string {
  if (choices.length > 0) return `_skein_words ${choices.join(' ')}`;
  if (kind === 'session') return '_skein_sessions';
  return kind === 'dir' ? '_skein_paths dirnames' : kind === 'file' ? '_skein_paths default' : ':';
}

const names = (commands: readonly Command[]): string[] =>
  commands.map(({ name }) => name).filter((name) => name !== '');
