// @ts-check
import { run, sourceFlags } from "./run.mjs";
import { ensureInstalled } from "./setup.mjs";

ensureInstalled();
process.exitCode = run("node", [...sourceFlags, "packages/cli/src/main.ts", "demo"]);
