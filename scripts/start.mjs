// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run, sourceFlags } from "./run.mjs";
import { ensureInstalled } from "./setup.mjs";

ensureInstalled({ isTour: true });
// The tour handles Ctrl-C and ends cleanly; this process waits for it.
process.on("SIGINT", () => {});
// On a terminal the tour ends with the inspector's page, which is built once.
const isBuilt = existsSync(join(root, "packages/inspector/dist/index.html"));
if (process.stdout.isTTY && !isBuilt) {
  run("npm", ["run", "--silent", "build", "--workspace", "packages/inspector"]);
}
process.exitCode = run("node", [...sourceFlags, "packages/cli/src/main.ts", "demo"]);
