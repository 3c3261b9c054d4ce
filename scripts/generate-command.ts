import { COMMANDS } from "../packages/cli/src/command-table/index.ts";
import { commandHelp, overview } from "../packages/cli/src/help.ts";

function block(text: string): string {
  return ["```text", text, "```"].join("\n");
}

const INTRODUCTION = `# The command

<!-- Written by "npm run generate" from the table of commands in packages/cli. Change it there. -->

Look up every command of \`waybill\` and its options. Standard output carries the answer as one line of JSON,
or indented on a terminal, and nothing else; warnings go to standard error. With \`--brief\` an answer is
\`{"data":…}\` (of a chain \`results\`, of the graph \`result\`) or \`{"error":…}\`, and \`meta\` is
there only if it is [remarkable](contracts.md#brief-answers).

The configuration lists what can be called: the nearest \`waybill.config.json\` upwards, then the user's
(\`$XDG_CONFIG_HOME/waybill/config.json\`): card folders with the upstreams their routes talk to, and
the policy. A project's file may only narrow the policy, and what in it could use a token or run a
program counts only after \`waybill trust\`.

So that it starts quickly, the command keeps its compiled code in \`$XDG_CACHE_HOME/waybill\`
(\`~/.cache/waybill\`). It can be removed at any time; with \`NODE_DISABLE_COMPILE_CACHE=1\` none is
kept.`;

/** The reference page of the command, from its own help. */
export async function renderCommand(): Promise<string> {
  const pages = COMMANDS.map(async (command) =>
    [`## ${command.name}`, block(await commandHelp(command))].join("\n\n"),
  );
  const commands = await Promise.all(pages);
  return [INTRODUCTION, block(overview()), ...commands].join("\n\n").concat("\n");
}
