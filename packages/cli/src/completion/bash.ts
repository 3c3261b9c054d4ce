import { commandsWithIds, firstWords, commandFlags, valuedOptions } from "./command-words.ts";
import type { Commands } from "./command-words.ts";

function bashQuoted(words: readonly string[]): string {
  return `"${words.join(" ")}"`;
}

/** An option with a value is completed with its choices, or with file names. */
function valueCases(commands: Commands): string[] {
  return [...valuedOptions(commands)].map(([flag, choices]) =>
    choices.length === 0
      ? `    ${flag}) compopt -o default 2>/dev/null; COMPREPLY=(); return ;;`
      : `    ${flag}) COMPREPLY=($(compgen -W ${bashQuoted(choices)} -- "$cur")); return ;;`,
  );
}

function flagCases(commands: Commands): string[] {
  return commands.map(
    (command) => `    ${bashQuoted([command.name])}) words=${bashQuoted(commandFlags(command))} ;;`,
  );
}

function verbCases(commands: Commands): string[] {
  const groups = firstWords(commands).filter(({ verbs }) => verbs.length > 0);
  return groups.map(({ word, verbs }) => `      ${word}) words="$words ${verbs.join(" ")}" ;;`);
}

/** The cases for commands whose first argument is a capability id. */
function idCases(commands: Commands): string[] {
  return commandsWithIds(commands).map(({ name }) => {
    const at = name.split(" ").length + 1;
    return `    ${bashQuoted([name])}) [ "$COMP_CWORD" -eq ${at} ] && words="$words $(_waybill_ids)" ;;`;
  });
}

/** Generates the completion for bash from the table of commands. */
export function bashCompletion(commands: Commands): string {
  const first = [...firstWords(commands).map(({ word }) => word), "help", "--help", "--version"];
  const names = commands
    .filter(({ name }) => name.includes(" "))
    .map(({ name }) => bashQuoted([name]));
  return `# Completion of waybill for bash: eval "$(waybill completion bash)"
_waybill_ids() {
  waybill capabilities list --brief 2>/dev/null | cut -d ' ' -f 1
}

_waybill() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local name="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${bashQuoted(first)} -- "$cur"))
    return
  fi
  case "$prev" in
${valueCases(commands).join("\n")}
  esac
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$name \${COMP_WORDS[2]}" in
    ${names.join("|")}) name="$name \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$name" in
${flagCases(commands).join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 2 ]; then
    case "$name" in
${verbCases(commands).join("\n")}
    esac
  fi
  case "$name" in
${idCases(commands).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}

complete -F _waybill waybill
`;
}

/** Zsh can run completions that are written for bash. */
export function zshCompletion(commands: Commands): string {
  const head = `#compdef waybill
# Completion of waybill for zsh: eval "$(waybill completion zsh)"
autoload -U +X bashcompinit && bashcompinit
`;
  return head + bashCompletion(commands).replace(/^.*\n/, "");
}
