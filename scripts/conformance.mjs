// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { newerProgram } from "./node-from-npm.mjs";
import { capture, root, run } from "./run.mjs";

// Runs the official MCP conformance suite for both sides, or for the named one. "--check" is the
// form for "npm run verify": every required scenario, short output, limited time, and skipped with
// a reason if the suite is not available.
const revisions = ["2025-11-25", "2026-07-28"];
const sides = ["client", "server"];
/** All clients of a revision start at the same time, which takes long on a busy machine. */
const scenarioMs = 120_000;
const revisionMs = 300_000;
const mostRepeated = 8;

const words = process.argv.slice(2);
const isCheck = words.includes("--check");
const [side, ...extra] = words.filter((word) => word !== "--check");
if (side !== undefined && !sides.includes(side)) {
  console.error(`There is no conformance run for "${side}"; use: npm run conformance -- client`);
  process.exitCode = 2;
} else {
  process.exitCode = await main(side === undefined ? sides : [side]);
}

/** @param {string[]} chosen */
async function main(chosen) {
  const entry = "@modelcontextprotocol/conformance/dist/index.js";
  const version = "0.2.0-alpha.12";
  const suite = newerProgram(
    `conformance-${version}`,
    `@modelcontextprotocol/conformance@${version}`,
    entry,
  );
  if (suite.reason !== undefined) return withoutSuite(suite.reason);
  const failed = [];
  for (const one of chosen) failed.push(...(await getFailures(suite, one)));
  console.log(failed.length === 0 ? "Conforms to both revisions." : `Failed: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * A missing suite fails only in CI, not on a developer's machine.
 * @param {string} reason
 */
function withoutSuite(reason) {
  const isSkipped = isCheck && process.env.CI !== "true";
  console.log(`${isSkipped ? "Skipped" : "Cannot run"}: ${reason}`);
  return isSkipped ? 0 : 1;
}

/** @typedef {import("./node-from-npm.mjs").NewerProgram} Suite */

/**
 * The revisions that a side fails.
 * @param {Suite} suite
 * @param {string} one
 */
async function getFailures(suite, one) {
  const file = await bundle(suite, one);
  const server = one === "server" ? await startConformanceServer(file) : undefined;
  const target =
    server === undefined
      ? ["--command", `${process.execPath} ${file}`, "--timeout", String(scenarioMs)]
      : ["--url", server.url];
  try {
    const failed = [];
    for (const revision of revisions) {
      const ask = asking(suite, one, target);
      const ok = isCheck ? await checks(ask, revision) : conforms(ask, one, revision);
      if (!ok) failed.push(`${one} ${revision}`);
    }
    return failed;
  } finally {
    server?.stop();
  }
}

/**
 * @typedef {{ runtime: string, argsFor: (chosen: string[]) => string[] }} Asking
 * @param {Suite} suite
 * @param {string} one
 * @param {string[]} target
 * @returns {Asking}
 */
function asking({ program, runtime, cache }, one, target) {
  const output = ["--output-dir", join(cache, "results")];
  return { runtime, argsFor: (chosen) => [program, one, ...target, ...chosen, ...output] };
}

/**
 * @param {Asking} ask
 * @param {string} one
 * @param {string} revision
 */
function conforms({ runtime, argsFor }, one, revision) {
  console.log(`\n── ${one}, ${revision}`);
  return run(runtime, argsFor(extra.length > 0 ? extra : ["--requirements", revision])) === 0;
}

/**
 * Runs all clients of a revision at the same time. A failed scenario is repeated alone.
 * @param {Asking} ask
 * @param {string} revision
 */
async function checks(ask, revision) {
  const args = ask.argsFor(["--requirements", revision]);
  const { ok, output } = await capture(ask.runtime, args, { timeout: revisionMs });
  const passed = output.split("\n").filter((line) => line.startsWith("✓")).length;
  console.log(`${revision}: ${passed} scenarios passed`);
  if (ok) return true;
  const failed = failedScenarios(output);
  const isCrowd = failed.length > 0 && failed.length <= mostRepeated;
  const again = isCrowd ? await failedAlone(ask, failed, revision) : failed;
  if (isCrowd && again.length === 0) return true;
  console.log([...again, output.slice(-2_000)].join("\n"));
  return false;
}

/**
 * The failed scenarios that count. Scenarios that a revision does not require are listed as not
 * scored.
 * @param {string} output
 */
function failedScenarios(output) {
  const unscored = new Set([...output.matchAll(/^\s+✗ (\S+) \(/gmu)].map(([, name]) => name));
  const failed = [...output.matchAll(/^✗ (\S+):/gmu)].map(([, name]) => name ?? "");
  return failed.filter((name) => !unscored.has(name));
}

/**
 * @param {Asking} ask
 * @param {string[]} scenarios
 * @param {string} revision
 */
async function failedAlone({ runtime, argsFor }, scenarios, revision) {
  /** @type {string[]} */
  const failed = [];
  for (const scenario of scenarios) {
    console.log(`${revision}: ${scenario} failed while other scenarios ran and is repeated alone`);
    const chosen = ["--scenario", scenario, "--spec-version", revision];
    const { ok } = await capture(runtime, argsFor(chosen));
    if (!ok) failed.push(scenario);
  }
  return failed;
}

/**
 * Starts the server, which prints its address.
 * @param {string} file
 */
async function startConformanceServer(file) {
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const line = /** @type {[string]} */ (
    await once(createInterface({ input: child.stdout }), "line")
  );
  return { url: line[0], stop: () => child.kill() };
}

/**
 * Bundles one side as a program for the suite.
 * @param {Suite} suite
 * @param {string} one
 */
async function bundle({ cache }, one) {
  const build = await rolldown({
    input: join(root, `packages/mcp/src/${one}/fixtures/conformance-${one}.ts`),
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@waybill/source", "node", "import"] },
  });
  const dir = join(cache, one);
  await build.write({
    dir,
    format: "esm",
    entryFileNames: `${one}.mjs`,
    chunkFileNames: "[name].mjs",
  });
  await build.close();
  return join(dir, `${one}.mjs`);
}
