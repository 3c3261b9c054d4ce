import type { Command } from "../command.ts";
import { BACKGROUND_COMMANDS } from "./background.ts";
import { CALL_COMMANDS } from "./call.ts";
import { CONNECTION_COMMANDS } from "./connection.ts";
import { GRAPH_COMMANDS } from "./graph.ts";
import { SERVE_COMMANDS } from "./serve.ts";
import { SETUP_COMMANDS } from "./setup.ts";
import { SOURCE_COMMANDS } from "./source.ts";

/** All commands. Help is generated from this table, so it is always up to date. */
export const COMMANDS: readonly Command[] = [
  ...CALL_COMMANDS,
  ...SOURCE_COMMANDS,
  ...BACKGROUND_COMMANDS,
  ...CONNECTION_COMMANDS,
  ...GRAPH_COMMANDS,
  ...SETUP_COMMANDS,
  ...SERVE_COMMANDS,
];
