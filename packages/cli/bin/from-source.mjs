// @ts-check
// The command in a clone of the repository: the build if it is newer than all source files, otherwise
// the source. This file is not published.
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../..", import.meta.url));
const built = join(packages, "cli/dist/main.cjs");

if (modifiedAt(built) > newestSource()) createRequire(import.meta.url)(built);
else runSource();

function newestSource() {
  const folders = readdirSync(packages).map((name) => join(packages, name, "src"));
  return Math.max(...folders.flatMap(filesIn).map(modifiedAt));
}

/** @param {string} folder */
function filesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => !name.includes(".test")).map((name) => join(folder, name));
}

/** @param {string} file */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function runSource() {
  const main = join(packages, "cli/src/main.ts");
  const flags = ["-C", "@waybill/source", "--import", import.meta.resolve("tsx")];
  const args = [...flags, main, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  // Ctrl-C reaches the child by itself, because it is in the same process group.
  process.on("SIGINT", () => {});
  for (const name of ["SIGTERM", "SIGHUP"]) {
    process.on(name, () => child.kill(/** @type {NodeJS.Signals} */ (name)));
  }
  child.on("exit", (code) => (process.exitCode = code ?? 1));
}
