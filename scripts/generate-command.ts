import type { Command } from "../packages/cli/src/command.ts";
import { BACKGROUND_COMMANDS } from "../packages/cli/src/command-table/background.ts";
import { CALL_COMMANDS } from "../packages/cli/src/command-table/call.ts";
import { CONNECTION_COMMANDS } from "../packages/cli/src/command-table/connection.ts";
import { GRAPH_COMMANDS } from "../packages/cli/src/command-table/graph.ts";
import { SERVE_COMMANDS } from "../packages/cli/src/command-table/serve.ts";
import { SETUP_COMMANDS } from "../packages/cli/src/command-table/setup.ts";
import { SOURCE_COMMANDS } from "../packages/cli/src/command-table/source.ts";
import { commandHelp, overview } from "../packages/cli/src/help.ts";

function block(text: string): string {
  return ["```text", text, "```"].join("\n");
}

const WRITTEN =
  '<!-- Written by "npm run generate" from the table of commands in packages/cli. Change it there. -->';
const INTRODUCTION = `# The command

${WRITTEN}

Look up every command of \`waybill\`, and find the page with its options.

- **Output**: an answer is one line of JSON on standard output, or a tree on a terminal. Warnings go to
  standard error. With \`--brief\` an answer is [compact text](contracts.md#brief-answers).
- **Configuration**: Waybill reads the nearest \`waybill.config.json\` upwards from the current folder, and your
  own file. A project's file can only restrict your policy. Its sources, and settings that need a token or run
  a program, are used after \`waybill trust\`. [Configuration](configuration.md) lists every setting.
- **Cache**: compiled code is stored in \`$XDG_CACHE_HOME/waybill\` (default: \`~/.cache/waybill\`), so that commands
  start quickly. You can delete it at any time. \`NODE_DISABLE_COMPILE_CACHE=1\` disables it.`;

interface CommandPage {
  readonly slug: string;
  readonly title: string;
  readonly commands: readonly Command[];
}

const PAGES: readonly CommandPage[] = [
  { slug: "call", title: "Call and find capabilities", commands: CALL_COMMANDS },
  {
    slug: "sources",
    title: "Add sources and sign in",
    commands: [...SOURCE_COMMANDS, ...BACKGROUND_COMMANDS, ...CONNECTION_COMMANDS],
  },
  { slug: "graph", title: "Ask about code", commands: GRAPH_COMMANDS },
  { slug: "setup", title: "Set up and check", commands: SETUP_COMMANDS },
  { slug: "serve", title: "Serve and inspect", commands: SERVE_COMMANDS },
];

function pageRow({ slug, title, commands }: CommandPage): string {
  const names = commands.map(({ name }) => `\`${name}\``).join(", ");
  return `| [${title}](command/${slug}.md) | ${names} |`;
}

/** The text of docs/reference/command.md: what all commands share, and the page of each one. */
export function renderCommand(): string {
  const table = ["| page | commands |", "| --- | --- |", ...PAGES.map(pageRow)].join("\n");
  return [INTRODUCTION, "## Options of each command", table, "## All commands", block(overview())]
    .join("\n\n")
    .concat("\n");
}

async function renderPage({ title, commands }: CommandPage): Promise<string> {
  const sections = commands.map(async (command) =>
    [`## ${command.name}`, block(await commandHelp(command))].join("\n\n"),
  );
  const first = `Look up the options of ${commands.length} commands. [The command](../command.md) lists all of them.`;
  const parts = [`# Command: ${title}`, WRITTEN, first, ...(await Promise.all(sections))];
  return parts.join("\n\n").concat("\n");
}

/** The pages in docs/reference/command/, from the help of the commands. */
export const COMMAND_PAGES = PAGES.map((page) => ({
  path: `docs/reference/command/${page.slug}.md`,
  render: () => renderPage(page),
}));
