import type { Command } from "../command.ts";
import { getChoices, commandsWithIds, firstWords } from "./command-words.ts";
import type { Commands } from "./command-words.ts";

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** The fish condition for a line that starts with this command. */
function afterName({ name }: Command): string {
  const seen = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
  return fishQuoted(seen.join("; and "));
}

function firstLines(commands: Commands): string[] {
  return firstWords(commands).map(({ word }) => {
    const summary = commands.find(({ name }) => name === word)?.summary ?? `waybill ${word} …`;
    return `complete -c waybill -n __fish_use_subcommand -a ${word} -d ${fishQuoted(summary)}`;
  });
}

function verbLines(commands: Commands): string[] {
  return commands
    .filter(({ name }) => name.includes(" "))
    .map(({ name, summary }) => {
      const [word, verb] = name.split(" ");
      const when = fishQuoted(`__fish_seen_subcommand_from ${word}`);
      return `complete -c waybill -n ${when} -a ${verb} -d ${fishQuoted(summary)}`;
    });
}

function optionLines(command: Command): string[] {
  return Object.entries(command.options).map(([name, option]) => {
    const choices = getChoices(option);
    const value = option.value === undefined ? "" : " -r -F";
    const taken = choices.length === 0 ? value : ` -x -a ${fishQuoted(choices.join(" "))}`;
    return `complete -c waybill -n ${afterName(command)} -l ${name}${taken} -d ${fishQuoted(option.help)}`;
  });
}

/** Generates the completion for fish from the table of commands. */
export function fishCompletion(commands: Commands): string {
  return [
    "# Completion of waybill for fish: waybill completion fish | source",
    "function __waybill_ids",
    "  waybill capabilities list --brief 2>/dev/null | string replace -r ' ' \\t",
    "end",
    "complete -c waybill -f",
    ...firstLines(commands),
    ...verbLines(commands),
    ...commandsWithIds(commands).map(
      (command) => `complete -c waybill -n ${afterName(command)} -a '(__waybill_ids)'`,
    ),
    ...commands.flatMap(optionLines),
    "",
  ].join("\n");
}
