// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MAX_MEGABYTES, installedMegabytes } from "./installed-size.mjs";
import { packFolder, stageAll } from "./pack.mjs";
import { capture, mapLimited, root } from "./run.mjs";

/** @type {((staged: Staged) => Promise<string | undefined> | string | undefined)[]} */
const checks = [publint, typesResolve, hasFiles];

/** Files that no module imports, because they are read or started by name. */
const started = {
  "@waybill/codegraph": ["dist/thread-main.js", "dist/grammars/tree-sitter-python.wasm"],
  "@waybill/code": [
    "dist/host/index.js",
    "dist/thread/main.js",
    "dist/thread/guest.snapshot",
    "dist/thread/quickjs.wasm",
  ],
  "@waybill/github": ["dist/schema/schema.graphql.br"],
  waybill: ["bin/waybill.cjs", "dist/main.cjs", "dist/inspector/index.html"],
};

/**
 * Invalid commands, in the bundle and in the modules beside it. Both must report mistakes, although
 * they have separate error classes.
 */
const mistakes = [
  ["runn"],
  ["run", "issue.view", "owner=octo"],
  ["run", "issue.view", "--query", "("],
  ["chain", "--steps", '[{"task":"issue.view"}]'],
  ["serve", "http", "foo"],
  ["graph", "nope"],
  ["trust", "nofile"],
];

/**
 * Commands that read files next to themselves. A bundle that looks in the wrong folder warns or
 * fails.
 */
const lookups = [
  ["capabilities", "list"],
  ["capabilities", "search", "list gists"],
  ["capabilities", "explain", "issue.view"],
  ["capabilities", "explain", "github.gists.list"],
  ["completion", "bash"],
  ["skill"],
  ["source", "list"],
  ["code", "return 1"],
];

const all = stageAll();
const jobs = all.flatMap((staged) => checks.map((check) => ({ staged, check })));
const found = await mapLimited(jobs, async ({ staged, check }) => check(staged));
const problems = [
  ...found,
  staysSmall(),
  ...(await mapLimited(mistakes, builtCommandRefuses)),
  ...(await mapLimited(lookups, builtCommandAnswers)),
];
for (const problem of problems) if (problem) console.error(problem);
process.exitCode = problems.some(Boolean) ? 1 : 0;

/** @typedef {import("./pack.mjs").Staged} Staged */

/** @param {Staged} staged */
function publint({ folder }) {
  return getProblem(folder, "publint", ["--strict"]);
}

/** @param {Staged} staged */
async function typesResolve({ folder }) {
  const tarball = await packFolder(folder, folder);
  return getProblem(folder, "attw", [tarball, "--profile", "esm-only"]);
}

/**
 * @param {string} folder
 * @param {string} program
 * @param {string[]} args
 */
async function getProblem(folder, program, args) {
  const path = join(root, "node_modules/.bin", program);
  const { ok, output } = await capture(path, args, { cwd: folder });
  return ok ? undefined : `${folder}: ${program} ${args.join(" ")}\n${output}`;
}

/** @param {Staged} staged */
function hasFiles({ name, folder }) {
  const named = /** @type {Record<string, string[] | undefined>} */ (started)[name] ?? [];
  const lacking = ["README.md", "LICENSE", ...named].filter(
    (path) => !existsSync(join(folder, path)),
  );
  return lacking.length === 0 ? undefined : `${name} lacks ${lacking.join(", ")}`;
}

/** A library's type in a public declaration would force users to install that library. */
function staysSmall() {
  const sizes = [...installedMegabytes(all.map(({ folder }) => folder))];
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  if (total <= MAX_MEGABYTES) return undefined;
  const largest = sizes.slice(0, 8).map(([name, size]) => `  ${size.toFixed(1)} MB ${name}`);
  const head = `waybill takes ${total.toFixed(1)} MB installed, limit ${MAX_MEGABYTES} MB:`;
  return [head, ...largest].join("\n");
}

/** @param {string[]} args */
async function builtCommandRefuses(args) {
  const main = join(root, "packages/cli/dist/main.cjs");
  const { stdout, output } = await capture(process.execPath, [main, ...args]);
  if (/"code":"(?:VALIDATION|NOT_FOUND)"/.test(stdout)) return undefined;
  return `waybill ${args.join(" ")} does not report the invalid command line:\n${output}`;
}

/** @param {string[]} args */
async function builtCommandAnswers(args) {
  const main = join(root, "packages/cli/dist/main.cjs");
  const { ok, output } = await capture(process.execPath, [main, ...args]);
  if (ok && !output.includes("waybill: warning")) return undefined;
  return `waybill ${args.join(" ")} failed or printed a warning:\n${output}`;
}
