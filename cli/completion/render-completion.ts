import type { Command } from 'commander';
import { type KnownCommand, listCommands } from './list-commands.ts';

/** The script by which a shell completes the program's commands and options, and otherwise files; it starts no process. */
export function renderCompletion(program: Command, shell: 'bash' | 'zsh' | 'fish'): string {
  return { bash, zsh, fish }[shell](listCommands(program));
}

function bash(all: KnownCommand[]): string {
  const cases = all.map(
    ({ path, words }) => `    ${path || "''"}) words='${words.map(({ word }) => word).join(' ')}' ;;`,
  );
  return `_longhaul() {
  local at='' words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at/\${COMP_WORDS[index]}" in
      ${pathsOf(all)}) at="$at/\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _longhaul longhaul`;
}

function zsh(all: KnownCommand[]): string {
  const cases = all.map(({ path, words }) => {
    const each = words.map(({ word, description }) => quote(`${word}:${description.replaceAll(':', '\\:')}`));
    return `    ${path || "''"}) known=(${each.join(' ')}) ;;`;
  });
  return `#compdef longhaul
_longhaul() {
  local at='' word
  local -a known
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      ${pathsOf(all)}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe longhaul known || _files
}
compdef _longhaul longhaul`;
}

function fish(all: KnownCommand[]): string {
  const lines = all.flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c longhaul -n '__longhaul_at "${path}"' ${what} -d ${quote(description)}`;
    }),
  );
  return `function __longhaul_at
    set -l at ''
    for word in (commandline -opc)[2..]
        switch "$at/$word"
            case ${pathsOf(all, ' ')}
                set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}`;
}

function pathsOf(all: KnownCommand[], between = '|'): string {
  return all
    .map(({ path }) => path)
    .filter(Boolean)
    .join(between);
}

/** A word that shells take as it is. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
