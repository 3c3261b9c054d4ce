// @ts-check
// npm run bench [-- suite … --quick --short --repo dir …]
import { fork } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve as absolute } from "node:path";
import { pathToFileURL } from "node:url";
import { writeOverview } from "./lib/overview.mjs";
import { benchmarks, circumstances, table, writeResults } from "./lib/report.mjs";

/** @typedef {import("./lib/report.mjs").Report} Report */

const FLAGS = ["--quick", "--short", "--repo <dir>"];
const SHORT =
  "A short run, as part of `npm run benchmark`: fewer rounds and smaller trees. `npm run bench` measures in full.";
const suites = readdirSync(join(benchmarks, "suites"))
  .filter((file) => file.endsWith(".mjs"))
  .map((file) => file.slice(0, -".mjs".length));

const args = process.argv.slice(2);
const repos = takeRepos(args);
const isQuick = args.includes("--quick");
/** A short run has few rounds, but its figures are recorded. */
const isShort = args.includes("--short");
const chosen = args.filter((arg) => !arg.startsWith("-"));
const problems = [...args.flatMap(problemWith), ...repos.flatMap(problemWithRepo)];

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 2;
} else {
  console.log(circumstances());
  for (const suite of chosen.length > 0 ? new Set(chosen) : suites) await runAndReport(suite);
  if (!isQuick) writeOverview();
}

/**
 * Removes every `--repo <dir>` from the arguments and returns the folders.
 * @param {string[]} given
 */
function takeRepos(given) {
  /** @type {string[]} */
  const found = [];
  for (let at = given.indexOf("--repo"); at >= 0; at = given.indexOf("--repo")) {
    const [, folder = ""] = given.splice(at, 2);
    found.push(absolute(folder));
  }
  return found;
}

/** @param {string} folder */
function problemWithRepo(folder) {
  return existsSync(folder)
    ? []
    : [`${folder} is not a folder; --repo takes the path of a local checkout`];
}

/** @param {string} arg */
function problemWith(arg) {
  if (!arg.startsWith("-")) {
    return suites.includes(arg)
      ? []
      : [`There is no suite called "${arg}". The suites are ${suites.join(", ")}`];
  }
  return FLAGS.includes(arg)
    ? []
    : [`${arg} is not an option. The options are ${FLAGS.join(", ")}`];
}

/** @param {string} suite */
async function runAndReport(suite) {
  const start = performance.now();
  const report = withNotes(await runApart(suite));
  if (report === undefined) {
    console.error(`\n${suite} failed`);
    process.exitCode = 1;
    return;
  }
  console.log(`\n${report.title}\n\n${table(report.rows)}\n`);
  for (const note of report.notes) console.log(`- ${note}`);
  console.log(`\n${suite} took ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  // A quick run only shows whether the suite works, so its figures are not recorded.
  if (!isQuick) writeResults(suite, report);
}

/** @param {Report | undefined} report */
function withNotes(report) {
  return report && isShort ? { ...report, notes: [...report.notes, SHORT] } : report;
}

/**
 * Runs a suite in a separate process, so that it does not share the heap or optimised code of
 * another one.
 * @param {string} suite
 * @returns {Promise<Report | undefined>}
 */
function runApart(suite) {
  const file = pathToFileURL(join(benchmarks, "suites", `${suite}.mjs`)).href;
  const child = fork(
    join(benchmarks, "lib/run-suite.mjs"),
    [file, String(isQuick || isShort), ...repos],
    {
      cwd: benchmarks,
    },
  );
  return new Promise((resolve) => {
    /** @type {Report | undefined} */
    let report;
    child.on("message", (message) => (report = /** @type {Report} */ (message)));
    child.on("close", (code) => resolve(code === 0 ? report : undefined));
  });
}
