// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { capture, mapLimited, root } from "./run.mjs";

const checks = [publint, typesResolve, packedFiles];
const neverPacked = /\.test(-d)?\.|\.tsbuildinfo$|__snapshots__/;

/** Files that nothing imports: they are started by their name. */
const started = {
  "packages/codegraph": ["dist/thread-main.js"],
  "packages/code": ["dist/host/index.js", "dist/thread/main.js"],
};

/** Mistakes in commands of the bundle and of the modules beside it, which share no class. */
const mistakes = [
  ["runn"],
  ["run", "issue.view", "owner=octo"],
  ["run", "issue.view", "--query", "("],
  ["chain", "--steps", '[{"task":"issue.view"}]'],
  ["serve", "http", "foo"],
  ["graph", "nope"],
  ["trust", "nofile"],
];

/** Commands that read files beside them: a part that looks in the wrong place warns or fails. */
const lookups = [
  ["capabilities", "list"],
  ["capabilities", "search", "list gists"],
  ["capabilities", "explain", "issue.view"],
  ["capabilities", "explain", "github.gists.list"],
  ["completion", "bash"],
  ["skill"],
  ["source", "list"],
];

const jobs = publicPackages().flatMap((folder) => checks.map((check) => ({ folder, check })));
const found = await mapLimited(jobs, ({ folder, check }) => check(folder));
const problems = [
  ...found,
  ...(await mapLimited(mistakes, builtCommandRefuses)),
  ...(await mapLimited(lookups, builtCommandAnswers)),
];
for (const problem of problems) if (problem) console.error(problem);
process.exitCode = problems.some(Boolean) ? 1 : 0;

function publicPackages() {
  const folders = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  return folders.filter((folder) => {
    const manifest = /** @type {{ private?: boolean }} */ (
      JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    );
    return manifest.private !== true;
  });
}

/** @param {string} folder */
function publint(folder) {
  return problemOf(folder, "publint", ["--strict"]);
}

/** @param {string} folder */
function typesResolve(folder) {
  return problemOf(folder, "attw", ["--pack", "--profile", "esm-only"]);
}

/**
 * @param {string} folder
 * @param {string} program
 * @param {string[]} args
 */
async function problemOf(folder, program, args) {
  const path = join(root, "node_modules/.bin", program);
  const { ok, output } = await capture(path, args, { cwd: folder });
  return ok ? undefined : `${folder}: ${program} ${args.join(" ")}\n${output}`;
}

/** @param {string} folder */
async function packedFiles(folder) {
  const args = ["pack", "--dry-run", "--json"];
  const { ok, stdout, output } = await capture("npm", args, { cwd: folder });
  if (!ok) return `${folder}: npm ${args.join(" ")}\n${output}`;
  const packed = filesOf(stdout);
  const wanted = Object.entries(started).flatMap(([name, files]) =>
    folder === join(root, name) ? files : [],
  );
  const lacking = wanted.filter((path) => !packed.includes(path));
  if (lacking.length > 0) return `${folder}: these are not in the package:\n${lacking.join("\n")}`;
  const unwanted = packed.filter((path) => neverPacked.test(path));
  if (unwanted.length === 0) return undefined;
  return `${folder}: "files" in package.json lets these into the package:\n${unwanted.join("\n")}`;
}

/** @param {string[]} args */
async function builtCommandRefuses(args) {
  const main = join(root, "packages/cli/dist/main.cjs");
  const { stdout, output } = await capture(process.execPath, [main, ...args]);
  if (stdout.includes('"code":"VALIDATION"')) return undefined;
  return `waybill ${args.join(" ")} does not say that it was written wrongly:\n${output}`;
}

/** @param {string[]} args */
async function builtCommandAnswers(args) {
  const main = join(root, "packages/cli/dist/main.cjs");
  const { ok, output } = await capture(process.execPath, [main, ...args]);
  if (ok && !output.includes("waybill: warning")) return undefined;
  return `waybill ${args.join(" ")} fails or warns:\n${output}`;
}

/** @param {string} report */
function filesOf(report) {
  const packed = /** @type {{ files: { path: string }[] }[]} */ (JSON.parse(report));
  return packed.flatMap(({ files }) => files.map(({ path }) => path));
}
