import type { Command } from "../command.ts";
import { JSON_SWITCH } from "./options.ts";

/** Commands of the background process. */
export const BACKGROUND_COMMANDS: readonly Command[] = [
  {
    name: "up",
    summary: "Keep sources open in the background, so that later commands start faster",
    usage: "",
    options: {
      idle: {
        value: "MINUTES",
        help: "Stop after MINUTES without a command (default: 30)",
      },
      foreground: { help: "Stay in this terminal" },
    },
    notes: [
      "run, chain, code and capabilities use it. MCP servers keep their state between the",
      "commands of a folder. With WAYBILL_UP=off a command does not use it.",
    ],
    load: () => import("../commands/up.ts"),
  },
  {
    name: "down",
    summary: "Stop the background process of waybill up",
    usage: "",
    options: {},
    load: () => import("../commands/down.ts"),
  },
  {
    name: "status",
    summary: "Show whether the background process runs, and for which folders",
    usage: "",
    options: { json: JSON_SWITCH },
    load: () => import("../commands/status.ts"),
  },
];
