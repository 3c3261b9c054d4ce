// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { newerProgram } from "./newer-node.mjs";
import { root, run } from "./run.mjs";

const revisions = ["2025-11-25", "2026-07-28"];
const sides = ["client", "server"];
const name = "conformance-0.2.0-alpha.12";
const entry = "@modelcontextprotocol/conformance/dist/index.js";
const suite = newerProgram(name, "@modelcontextprotocol/conformance@0.2.0-alpha.12", entry);

const [side, ...extra] = process.argv.slice(2);
if (side !== undefined && !sides.includes(side)) {
  console.error(`There is no conformance run for "${side}"; use: npm run conformance -- client`);
  process.exitCode = 2;
} else {
  const failed = [];
  for (const one of side === undefined ? sides : [side]) failed.push(...(await failuresOf(one)));
  console.log(failed.length === 0 ? "Conforms to both revisions." : `Failed: ${failed.join(", ")}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/**
 * The revisions that a side does not conform to.
 * @param {string} one
 */
async function failuresOf(one) {
  const file = await bundle(one);
  if (one === "client") {
    const args = ["--command", `${process.execPath} ${file}`];
    return revisions.filter((revision) => !conforms(one, revision, args));
  }
  const server = await startServer(file);
  try {
    return revisions.filter((revision) => !conforms(one, revision, ["--url", server.url]));
  } finally {
    server.stop();
  }
}

/**
 * The suite starts a client for every scenario, all at once: from one file it starts quickly.
 * @param {string} one
 */
async function bundle(one) {
  const build = await rolldown({
    input: join(root, `packages/mcp/src/${one}/fixtures/conformance-${one}.ts`),
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@waybill/source", "node", "import"] },
  });
  const dir = join(suite.cache, one);
  await build.write({
    dir,
    format: "esm",
    entryFileNames: `${one}.mjs`,
    chunkFileNames: "[name].mjs",
  });
  await build.close();
  return join(dir, `${one}.mjs`);
}

/**
 * The server prints where it listens.
 * @param {string} file
 */
async function startServer(file) {
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const line = /** @type {[string]} */ (
    await once(createInterface({ input: child.stdout }), "line")
  );
  return { url: line[0], stop: () => child.kill() };
}

/**
 * @param {string} one
 * @param {string} revision
 * @param {string[]} target
 */
function conforms(one, revision, target) {
  console.log(`\n── ${one}, ${revision}`);
  const { program, runtime, cache } = suite;
  const chosen = extra.length > 0 ? extra : ["--requirements", revision];
  const args = [program, one, ...target, ...chosen, "--output-dir", join(cache, "results")];
  return run(runtime, args) === 0;
}
