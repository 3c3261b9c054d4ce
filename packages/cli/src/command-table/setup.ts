import type { Command } from "../command.ts";
import { JSON_SWITCH } from "./options.ts";

/** Commands that a person sets Waybill up with. */
export const SETUP_COMMANDS: readonly Command[] = [
  {
    name: "trust",
    summary: "Trust the sources of a project's configuration",
    usage: "[file]",
    options: {
      source: {
        value: "NAME",
        help: "Only this source, or the tools of this MCP server as they are",
      },
    },
    notes: [
      "Without a file it is the nearest waybill.config.json. The trust in a source ends when its entry",
      "changes, or a local file that the entry names. A project's source is not read before.",
    ],
    load: () => import("../commands/trust.ts"),
  },
  {
    name: "approvals",
    summary: "Show the calls that wait for your approval, and answer them",
    usage: "[allow|deny <id>]",
    options: { json: JSON_SWITCH },
    notes: [
      "An approval is asked for on a terminal only. It covers one call with these inputs by this",
      "caller, waits for 24 hours and is used up when the call was made.",
    ],
    load: () => import("../commands/approvals.ts"),
  },
  {
    name: "doctor",
    summary: "Check what works on this machine, route by route, and how to fix the rest",
    usage: "",
    options: {
      online: { help: "Also ask GitHub who you are, and read the sources" },
      json: JSON_SWITCH,
    },
    notes: [
      "Nothing is sent anywhere without --online. It ends with 0 when a route to GitHub is ready or a",
      "source is configured, and nothing is broken; otherwise with 1.",
    ],
    load: () => import("../commands/doctor.ts"),
  },
  {
    name: "setup",
    summary: "Set up an agent: its MCP server and its instructions",
    usage: "[--agent NAME]",
    options: {
      agent: {
        value: "NAME",
        help: "claude-code, claude-desktop, cursor, vscode, copilot-cli, codex, gemini-cli, opencode, windsurf, zed, goose, cline or generic (default: the installed ones, after a question)",
      },
      user: { help: "Set up all of your projects, not only this folder" },
      lean: { help: "A shorter skill, without the signatures of GitHub capabilities" },
      "dry-run": { help: "Write nothing; show what would be written" },
      yes: { help: "Write without asking; needed where there is no terminal" },
      verify: { help: "Check that the files are there and that the server starts" },
      remove: { help: "Remove what was written, and nothing else" },
    },
    notes: [
      "It shows what it will write and asks; run twice, it changes nothing the second time.",
      "A file that is broken, or holds something else in that place, is left as it is.",
    ],
    load: () => import("../commands/setup.ts"),
  },
  {
    name: "skill",
    summary: "Print instructions for an agent that calls Waybill",
    usage: "",
    options: {
      indexed: { help: "With the signatures of the GitHub capabilities that tasks use most" },
      door: {
        value: "DOOR",
        help: "For an agent that calls by command, mcp or code (default: command)",
      },
    },
    load: () => import("../commands/skill.ts"),
  },
  {
    name: "types",
    summary: "TypeScript types of the capabilities, so that execute() knows them",
    usage: "",
    options: {
      out: { value: "FILE", help: "Write them there, such as waybill.d.ts, not to stdout" },
      all: { help: "Also what lists do not show, such as all of GitHub's REST API" },
      code: { help: "The globals of programs, for an editor" },
    },
    load: () => import("../commands/types.ts"),
  },
  {
    name: "completion",
    summary: "Print a shell completion script",
    usage: "bash|zsh|fish",
    options: {},
    notes: [
      'Into your shell\'s start-up file: eval "$(waybill completion bash)", the same with zsh, or',
      "waybill completion fish | source.",
    ],
    load: () => import("../commands/completion.ts"),
  },
  {
    name: "demo",
    summary: "A tour on a GitHub of its own: no account, no token, nothing to clean up",
    usage: "",
    options: {},
    notes: ["On a terminal it ends at a page with the calls of the tour, until Ctrl-C."],
    load: () => import("../commands/demo.ts"),
  },
];
