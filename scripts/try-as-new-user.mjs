// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { majors } from "./node-from-npm.mjs";
import { root, run } from "./run.mjs";
import {
  call,
  makeProject,
  printRows,
  tableRow,
  timeText,
  timedCall,
  tryPackages,
} from "./try-packages.mjs";

// Follows the steps of a new user, from a new clone and from the packed packages on every supported
// version of Node, and prints a table. "-- packages" and "-- clone" run only one of the two.

/** @typedef {import("./try-packages.mjs").Row} Row */

const MAX_SECONDS = 30;
const parts = process.argv.slice(2);
/** @param {string} part */
const isWanted = (part) => parts.length === 0 || parts.includes(part);

if (isWanted("clone")) printRows("From a clone", tryClone());
if (isWanted("packages")) {
  if (run("npm", ["run", "--silent", "build"]) !== 0) throw new Error("npm run build failed");
  await tryPackages(majors);
}

/** @returns {Row[]} */
function tryClone() {
  const folder = mkdtempSync(join(tmpdir(), "waybill-clone-"));
  try {
    return withClone(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {string} folder @returns {Row[]} */
function withClone(folder) {
  const project = makeProject(join(folder, "home"), process.execPath);
  const clone = { ...project, folder: join(folder, "clone") };
  const cloned = call(project, "git", [
    "clone",
    "--quiet",
    "--depth",
    "1",
    `file://${root}`,
    clone.folder,
  ]);
  if (cloned.code !== 0) return [tableRow("git clone", false, cloned.output)];
  const started = timedCall(clone, "npm", ["start"]);
  const isAnswered = started.code === 0 && started.output.includes("nameWithOwner");
  const isQuick = started.seconds <= MAX_SECONDS;
  const detail = `${timeText(started)}, limit ${MAX_SECONDS} s`;
  const commands = [
    ["--version"],
    ["capabilities", "list"],
    ["setup", "--agent", "codex", "--dry-run"],
  ];
  return [
    tableRow("npm start answers", isAnswered, isAnswered ? "" : started.output),
    tableRow("from an empty folder to the first answer", isQuick, detail),
    ...commands.map((args) => {
      const { code, output } = call(clone, "npx", ["waybill", ...args]);
      return tableRow(`npx waybill ${args.join(" ")}`, code === 0, code === 0 ? "" : output);
    }),
  ];
}
