// @ts-check
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { capture, mapLimited, root, sourceFlags } from "./run.mjs";

const atOnce = 2;
const timeout = 600_000;

const names = readdirSync(join(root, "examples")).filter((name) => existsSync(getMain(name)));
const passed = await mapLimited(names, runExample, atOnce);
if (names.length === 0) console.error("no examples/*/main.ts to run");
process.exitCode = names.length > 0 && passed.every(Boolean) ? 0 : 1;

/** @param {string} name */
function getMain(name) {
  return join(root, "examples", name, "main.ts");
}

/** @param {string} name */
async function runExample(name) {
  const start = performance.now();
  const { ok, output } = await capture("node", [...sourceFlags, getMain(name)], { timeout });
  const ms = Math.round(performance.now() - start);
  if (ok) console.log(`ok ${name} (${ms} ms)`);
  else console.error(`failed ${name} (${ms} ms)\n${output}`);
  return ok;
}
