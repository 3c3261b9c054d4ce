import type { Command } from "../command.ts";
import { JSON_SWITCH } from "./options.ts";

/** Commands that set up and check Waybill. */
export const SETUP_COMMANDS: readonly Command[] = [
  {
    name: "trust",
    summary: "Trust the sources of a project's configuration",
    usage: "[file]",
    options: {
      source: {
        value: "NAME",
        help: "Trust only this source, or the current tools of this MCP server",
      },
    },
    notes: [
      "Without a file, the nearest waybill.config.json is used. Trust in a source ends when its entry",
      "or a local file that it names changes. A project's source is not used before it is trusted.",
    ],
    load: () => import("../commands/trust.ts"),
  },
  {
    name: "approvals",
    summary: "Show the calls that wait for your approval, and answer them",
    usage: "[allow|deny <id>]",
    options: { json: JSON_SWITCH },
    notes: [
      "Approvals need a terminal. Each one covers a single call with these inputs by this",
      "caller. It is valid for 24 hours and is used up by the call.",
    ],
    load: () => import("../commands/approvals.ts"),
  },
  {
    name: "doctor",
    summary: "Check which routes work here and how to fix the others",
    usage: "",
    options: {
      online: { help: "Also call GitHub, and read the sources" },
      json: JSON_SWITCH,
    },
    notes: [
      "Sends nothing without --online. Exits with 0 if a route to GitHub is ready or a",
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
      lean: { help: "Shorter instructions, without the signatures of GitHub capabilities" },
      "dry-run": { help: "Show the changes without writing them" },
      yes: { help: "Write without asking; required without a terminal" },
      verify: { help: "Check that the files are there and that the server starts" },
      remove: { help: "Remove everything that setup wrote, and nothing else" },
    },
    notes: [
      "Shows the changes and asks before writing. A second run changes nothing.",
      "A file that is broken, or names another server waybill, is not changed.",
    ],
    load: () => import("../commands/setup.ts"),
  },
  {
    name: "skill",
    summary: "Print instructions for an agent that calls Waybill",
    usage: "",
    options: {
      indexed: { help: "Include the signatures of the most used GitHub capabilities" },
      door: {
        value: "DOOR",
        help: "How the agent calls Waybill: command, mcp or code (default: command)",
      },
    },
    load: () => import("../commands/skill.ts"),
  },
  {
    name: "types",
    summary: "Print TypeScript types of the capabilities, for execute()",
    usage: "",
    options: {
      out: { value: "FILE", help: "Write to this file, such as waybill.d.ts, not to stdout" },
      all: { help: "Include hidden capabilities, such as the rest of GitHub's REST API" },
      code: { help: "Print types of the globals in programs, for an editor" },
    },
    load: () => import("../commands/types.ts"),
  },
  {
    name: "completion",
    summary: "Print a shell completion script",
    usage: "bash|zsh|fish",
    options: {},
    notes: [
      'Add to your shell\'s start-up file: eval "$(waybill completion bash)", the same with zsh, or',
      "waybill completion fish | source.",
    ],
    load: () => import("../commands/completion.ts"),
  },
  {
    name: "demo",
    summary: "Take a tour on an embedded GitHub: no account, no token, no clean-up",
    usage: "",
    options: {},
    notes: ["On a terminal, it then opens a page with the calls of the tour. Ctrl-C ends it."],
    load: () => import("../commands/demo.ts"),
  },
];
