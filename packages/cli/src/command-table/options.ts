import type { OptionSpec } from "../command.ts";

// Options that several commands have.

export const JSON_SWITCH: OptionSpec = { help: "As JSON" };
export const PRETTY: OptionSpec = { help: "Indented JSON; on a terminal it is a tree in any case" };
export const BRIEF: OptionSpec = { help: "Short answers, as compact text where that is shorter" };
export const GRAPH_ROOT: OptionSpec = {
  value: "DIR",
  help: "The code base (default: this folder)",
};
export const ASKED_ROOT: OptionSpec = {
  value: "DIR",
  help: "graph.*: the code base (default: this folder)",
};
