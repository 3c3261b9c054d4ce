import type { OptionSpec } from "../command.ts";

// Options that several commands have.

export const JSON_SWITCH: OptionSpec = { help: "As JSON" };
export const PRETTY: OptionSpec = {
  help: "Print indented JSON (a terminal shows a tree by default)",
};
export const BRIEF: OptionSpec = {
  help: "Short answers as compact text; + names fields that are left out",
};
export const GRAPH_ROOT: OptionSpec = {
  value: "DIR",
  help: "Root of the code base (default: current folder)",
};
export const ASKED_ROOT: OptionSpec = {
  value: "DIR",
  help: "graph.*: root of the code base (default: current folder)",
};
