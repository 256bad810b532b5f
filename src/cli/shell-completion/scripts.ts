import type { ExitCode } from "../../errors.js";
import { EXIT } from "../../errors.js";
import { SHELLS } from "../formats.js";
import type { CommandContext } from "../program.js";
import { oneOf } from "../usage-error.js";

// The scripts ask `mini-cc complete` at each key, so that they know what the installed version knows.

const BASH = `# Completion of mini-cc for bash; put into ~/.bashrc:  source <(mini-cc completion bash)
_mini_cc() {
  local line=\${COMP_LINE:0:COMP_POINT} current rest cut="" word about
  local -a words=()
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=\${words[\${#words[@]}-1]}
  # bash replaces only what stands behind one of its own word breaks.
  [[ $COMP_WORDBREAKS == *=* && $current == *=* ]] && cut=\${current%"\${current##*=}"}
  rest=\${current#"$cut"}
  [[ $COMP_WORDBREAKS == *:* && $rest == *:* ]] && cut=$cut\${rest%"\${rest##*:}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    case $word in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        [[ $word == :files ]] && about=-f || about=-d
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$about" -- "\${current#"$cut"}")
        ;;
      *) COMPREPLY+=("\${word#"$cut"}") ;;
    esac
  done < <("$1" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _mini_cc mini-cc
`;

const ZSH = `#compdef mini-cc
# Completion of mini-cc for zsh; put into ~/.zshrc, behind compinit:  source <(mini-cc completion zsh)
_mini_cc() {
  local line
  local -a lines candidates
  lines=("\${(@f)$(mini-cc complete -- "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  case $lines[1] in
    :files) compset -P '*='; _files; return ;;
    :folders) compset -P '*='; _files -/; return ;;
  esac
  for line in $lines; do
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${\${line#*$'\\t'}#\${line%%$'\\t'*}}")
  done
  (( $#candidates )) && _describe mini-cc candidates
}
if [[ $funcstack[1] == _mini_cc ]]; then _mini_cc "$@"; else compdef _mini_cc mini-cc; fi
`;

const FISH = `# Completion of mini-cc for fish:  mini-cc completion fish > ~/.config/fish/completions/mini-cc.fish
function __mini_cc_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (mini-cc complete -- $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
        case :folders
            __fish_complete_directories (string replace -r '^--[^=]*=' '' -- "$current")
        case '*'
            printf '%s\\n' $lines
    end
end
complete -c mini-cc -f -a '(__mini_cc_complete)'
`;

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** `mini-cc completion SHELL`: the script that a shell reads at its start. */
export function completionCommand({ messages }: CommandContext, shell: string): ExitCode {
  const known = oneOf(SHELLS, shell, { name: "SHELL", command: "mini-cc completion", messages });
  process.stdout.write(SCRIPTS[known]);
  return EXIT.done;
}
