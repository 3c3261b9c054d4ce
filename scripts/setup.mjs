// @ts-check
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root, run } from "./run.mjs";

/** Programs that some tests use, with their Debian packages. */
export const programs = Object.freeze({
  gh: "gh",
  "nats-server": "nats-server",
  chromium: "chromium",
  curl: "curl",
  bwrap: "bubblewrap",
  faketime: "faketime",
});

/** @typedef {keyof typeof programs} Program */

const aptAttempts = 3;
const aptOptions = ["-o", "DPkg::Lock::Timeout=60", "-o", "Dpkg::Use-Pty=0"];

/** Installs what the tour needs: a tenth of all packages. Tests install the others. */
const tourArgs = [
  "--omit=dev",
  "--include-workspace-root",
  "--workspace=packages/cli",
  "--workspace=packages/inspector",
];

/**
 * Updates node_modules to package-lock.json. `npm ci` would delete node_modules first, so an
 * existing one is updated by `npm install`, which takes seconds. Neither changes the lock file.
 */
export function ensureInstalled({ isTour = false } = {}) {
  const reason = installReason(root, { isTour });
  if (!reason) return;
  const isNew = !existsSync(join(root, "node_modules"));
  const isPart = isTour && isNew;
  const command = isNew ? ["ci"] : ["install", "--no-save"];
  const args = [...command, ...(isPart ? tourArgs : []), "--no-audit", "--no-fund"];
  console.log(`Running npm ${args[0]}: ${reason}.`);
  const code = run("npm", args);
  if (code !== 0) throw new Error(`npm ${args[0]} ended with exit code ${code}`);
  markInstalled(root, { isPart });
}

/**
 * Why the dependencies of a folder must be installed; undefined if they are up to date.
 * @param {string} folder
 */
export function installReason(folder, { isTour = false } = {}) {
  if (!existsSync(join(folder, "node_modules"))) return "node_modules is missing";
  const mark = markPath(folder);
  if (!existsSync(mark)) return "node_modules was not installed by this script";
  const [hash, part] = readFileSync(mark, "utf8").split(" ");
  if (hash !== lockHash(folder)) return "package-lock.json has changed";
  if (part !== undefined && !isTour) return "only the packages of the tour are installed";
  return undefined;
}

/**
 * Remembers which package-lock.json node_modules was installed from, and whether a part of it was.
 * @param {string} folder
 */
export function markInstalled(folder, { isPart = false } = {}) {
  writeFileSync(markPath(folder), `${lockHash(folder)}${isPart ? " tour" : ""}`);
}

/** @param {string} folder */
function markPath(folder) {
  return join(folder, "node_modules/.waybill-lock");
}

/** @param {string} folder */
function lockHash(folder) {
  return createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
}

/**
 * Installs missing programs if possible, and otherwise says how to get them. A missing program is
 * not an error here: the tests that need it decide what to do.
 * @param {Program[]} [names]
 */
export function ensurePrograms(names = allPrograms()) {
  const missing = names.filter((name) => !hasProgram(name));
  if (missing.length === 0) return;
  if (canInstall()) aptInstall(missing.map((name) => programs[name]));
  for (const name of missing) {
    if (!hasProgram(name)) console.warn(`${name} is missing. ${howToInstall(name)}`);
  }
}

/** @returns {Program[]} */
function allPrograms() {
  return /** @type {Program[]} */ (Object.keys(programs));
}

/** @param {string} name */
export function hasProgram(name) {
  return programPath(name) !== undefined;
}

/**
 * The path of a program on the PATH, if there is one.
 * @param {string} name
 */
export function programPath(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** @param {Program} name */
export function howToInstall(name) {
  return `Install it with "apt-get install ${programs[name]}", or any other way that puts it on the PATH.`;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canInstall() {
  return process.getuid?.() === 0 && hasProgram("apt-get");
}

/** @param {string[]} packages */
function aptInstall(packages) {
  console.log(`Installing ${packages.join(", ")} with apt-get, for the tests that need them.`);
  if (!aptGet(["update"])) return;
  for (const name of packages) aptGet(["install", "-y", "--no-install-recommends", name]);
}

/**
 * Retries apt-get, because mirrors fail sometimes.
 * @param {string[]} args
 */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (let attempt = 1; attempt <= aptAttempts; attempt += 1) {
    if (run("apt-get", ["-qq", ...aptOptions, ...args], env) === 0) return true;
  }
  return false;
}
