// @ts-check
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { median } from "../lib/measure.mjs";
import { benchmarks } from "../lib/report.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {{ ms: number, megabytes: number }} Figures */

export const title = "GitHub's description of 13 MB as a source";

const MAX_RATIO = 1.5;
const MAX_MEGABYTES = 120;
const folder = join(benchmarks, "../node_modules/.cache/waybill/bench-openapi");
const file = join(folder, "api.github.com.json");
const packed = join(
  benchmarks,
  "../packages/adapters/src/openapi/fixtures/github-description.json.br",
);

/** Unpacks the description with its original line breaks. Returns its size. */
function unpack() {
  mkdirSync(folder, { recursive: true });
  /** @type {unknown} */
  const description = JSON.parse(brotliDecompressSync(readFileSync(packed)).toString("utf8"));
  const text = JSON.stringify(description, null, 2);
  writeFileSync(file, text);
  return Buffer.byteLength(text);
}

const figures =
  "process.stdout.write(JSON.stringify({ ms: performance.now() - start, megabytes: process.memoryUsage().rss / 1e6 }));";

const baseline = `import { readFileSync } from "node:fs";
const start = performance.now();
const value = JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"));
if (Object.keys(value.paths).length < 100) throw new Error("wrong file");
${figures}`;

/** @param {string} server */
const firstCall = (server) => `import { createWaybill } from "@waybill/core";
import { openapiSource } from "@waybill/adapters/openapi";
const start = performance.now();
const source = openapiSource({ name: "github", file: ${JSON.stringify(file)}, server: ${JSON.stringify(server)}, allowPrivate: true });
const waybill = createWaybill({ sources: [source] });
const result = await waybill.execute("github.issues.list-for-repo", { owner: "a", repo: "b" });
if (!result.ok) throw new Error(JSON.stringify(result.error));
${figures}
process.exit();`;

/**
 * Runs a program in a separate process, so that each starts with an empty heap.
 * @param {string} code
 */
async function measureCode(code) {
  const args = ["--input-type=module", "-e", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: benchmarks });
  return /** @type {Figures} */ (JSON.parse(stdout));
}

async function startApi() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const bytes = unpack();
  const server = await startApi();
  const rounds = quick ? 3 : 15;
  /** @type {Figures[]} */
  const parsed = [];
  /** @type {Figures[]} */
  const called = [];
  for (let round = 0; round < rounds; round++) {
    parsed.push(await measureCode(baseline));
    called.push(await measureCode(firstCall(server.url)));
  }
  server.stop();
  const ratio = median(called.map(({ ms }, round) => ms / (parsed[round]?.ms ?? Number.NaN)));
  const memory = Math.max(...called.map(({ megabytes }) => megabytes));
  /** @type {Row[]} */
  const rows = [
    {
      name: "`JSON.parse` of the file, read from disk",
      value: median(parsed.map(({ ms }) => ms)),
      unit: "ms",
    },
    {
      name: "from nothing to the answer of the first call",
      value: median(called.map(({ ms }) => ms)),
      unit: "ms",
    },
    {
      name: "the second as a multiple of the first",
      value: ratio,
      unit: "×",
      target: `≤ ${MAX_RATIO} ×`,
      met: ratio <= MAX_RATIO,
    },
    {
      name: "memory of the process after the first call, the most",
      value: memory,
      unit: "MB",
      target: `≤ ${MAX_MEGABYTES} MB`,
      met: memory <= MAX_MEGABYTES,
    },
    {
      name: "memory of the process that only parses, the most",
      value: Math.max(...parsed.map(({ megabytes }) => megabytes)),
      unit: "MB",
    },
  ];
  return {
    rows,
    notes: [
      `${(bytes / 1e6).toFixed(1)} MB, ${rounds} rounds, each in a separate process. The second figure includes everything after the import of the packages: reading the file, listing 1,223 operations, loading the checker, compiling the schemas of the operation, the request to a server on the loopback device, and checking its answer.`,
    ],
  };
}
