import { type Command, namesOf, type Option, withValue } from './command.ts';

/** Fish. What a command substitution gives is taken as it is: `id<TAB>title`. */
export function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const { name, summary, options, argument } = command;
    const own = options.map((option) => fishOption(name, option));
    if (name !== '') own.unshift(`complete -c skein -n __skein_is_first -a ${name} -d ${fishQuote(summary)}`);
    const takes = namesOf(withValue(options)).join(' ');
    const here = fishQuote(`__skein_awaits_argument '${name}' ${takes}`.trimEnd());
    if (argument === 'file') own.push(`complete -c skein -n ${here} -F`);
    if (argument === 'session') own.push(`complete -c skein -n ${here} -k -a '(__skein_sessions)'`);
    return ['', ...own];
  });
  return `# Completion of skein for fish.  Use it now:  skein completion fish | source

function __skein_is_first
    test (count (commandline -opc)) -eq 1
end

# The command on the line; '' while the line begins with an option.
function __skein_is
    set -l words (commandline -opc)
    set -l command ''
    set -q words[2]; and not string match -q -- '-*' $words[2]; and set command $words[2]
    test "$command" = "$argv[1]"
end

# Is the one argument of the command still to come? After the name: its options that take a value.
function __skein_awaits_argument
    __skein_is $argv[1]; or return 1
    set -l words (commandline -opc)[2..-1]
    test "$argv[1]" = ''; or set -e words[1]
    set -l before ''
    for word in $words
        if not contains -- "$before" $argv[2..-1]; and not string match -q -- '-*' $word
            return 1
        end
        set before $word
    end
    not contains -- "$before" $argv[2..-1]
end

function __skein_sessions
    set -l token (commandline -ct)
    set -l found
    string match -q -- '-*' $token; and return
    if command -q skein; and not string match -qr '^[.~]|/' -- $token
        set found (command skein __complete sessions "$token" 2>/dev/null | string match -r '^[A-Za-z0-9._-]+\\t.*')
    end
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path $token
    end
end

complete -c skein -e
complete -c skein -f
${lines.join('\n').trimStart()}
`;
}

function fishOption(command: string, { names, description, value }: Option): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const here = fishQuote(`__skein_is '${command}'`);
  const parts = ['complete -c skein', `-n ${here}`, ...flags, ...fishValue(value), `-d ${fishQuote(description)}`];
  return parts.join(' ');
}

function fishValue(value: Option['value']): string[] {
  if (!value) return [];
  if (value.choices.length > 0) return [`-x -a '${value.choices.join(' ')}'`];
  if (value.kind === 'file') return ['-r -F'];
  if (value.kind === 'dir') return [`-x -a '(__fish_complete_directories)'`];
  return value.kind === 'session' ? [`-x -k -a '(__skein_sessions)'`] : ['-x'];
}

const fishQuote = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
