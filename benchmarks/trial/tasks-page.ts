import type { DoorName } from "./folder.ts";
import type { Task } from "./task.ts";

const SHELL = "Every call is one shell line or script, given with the number of its task:";

function example(lines: readonly string[]): string {
  return ["```sh", ...lines, "```"].join("\n");
}

function known(start: string): string {
  return `This is all that you know of it:\n\n---\n${start}\n---`;
}

/** The instructions for each kind of tools. */
const USE: Readonly<Record<DoorName, (start: string) => readonly string[]>> = {
  gh: () => [
    "You have the GitHub CLI `gh` in a shell; it is signed in. No repository is checked out. `jq` and the usual programs are there too.",
    SHELL,
    example(["./do 7 'gh issue view 1 -R octo/hello'", "./do 7 <<'END'", "any script", "END"]),
  ],
  command: (start) => [
    "You have the command `waybill` in a shell; it is signed in. `jq` and the usual programs are there too; `gh` is not.",
    known(start),
    SHELL,
    example([
      "./do 7 'waybill run issue.view octo/hello#1 title --brief'",
      "./do 7 <<'END'",
      "any script",
      "END",
    ]),
  ],
  mcp: (start) => [
    "You have the tool of an MCP server, which is signed in to GitHub.",
    known(start),
    "Every call is the tool with its arguments as JSON, given with the number of its task. A program alone may also be given as it is:",
    example([
      "./do 7 code <<'END'",
      'return (await issue.view("octo/hello#1")).title',
      "END",
      `./do 7 code '{"code":"…","options":{}}'`,
    ]),
  ],
};

const RULES = `## Rules

- Reach GitHub only through \`./do\` in this folder. Read no other file here, and look for no other way.
- One call is for one task. Do not do several tasks in one call. Within a task use as many calls as you need.
- Work as for a user who pays for each call and for each byte that you read; being right comes first.
- Change nothing that no task asks for.
- Where a task asks for something, write the answer with \`./answer 7 'text'\`. The last one counts.
- Do the tasks in their order. If one cannot be done, go on with the next.
- At the end say in a few lines what was hard or surprising.`;

/** The page with everything that a reader gets. */
export function tasksPage(door: DoorName, start: string, tasks: readonly Task[]): string {
  const listed = tasks.map(({ text }, index) => `${index + 1}. ${text}`).join("\n");
  const parts = [
    `# ${tasks.length} tasks on GitHub`,
    ...USE[door](start),
    RULES,
    "## Tasks",
    listed,
  ];
  return `${parts.join("\n\n")}\n`;
}
