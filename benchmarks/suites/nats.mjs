// @ts-check
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connect } from "@nats-io/transport-node";
import { PendingRequestMap } from "@waybill/core";
import { executeRemotely } from "@waybill/core/protocol";
import { connectNats } from "@waybill/nats";
import { interleave, median, ratioWithinRounds } from "../lib/measure.mjs";
import { installedVersion } from "../lib/report.mjs";

/** @typedef {import("../lib/measure.mjs").Contender} Contender */
/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {import("../lib/work.mjs").Sum} Sum */
/** @typedef {import("@nats-io/transport-node").NatsConnection} NatsConnection */

export const title = "A call over NATS";

const AT_ONCE = 64;
const MIN_RATIO = 1.1;
/** The contenders before this index are the plain NATS client. */
const FIRST_WITH_TARGET = 2;
const DEADLINE_MS = 30_000;
const KEY = "a secret that both ends share";
const identity = { id: "bench", scopes: ["math:use"] };
const client = `nats.js ${installedVersion("@nats-io/transport-node")}`;
const worker = fileURLToPath(new URL("../lib/nats-worker.mjs", import.meta.url));

/** The sum of all results when the calls are add(0, 1), add(1, 1), … @param {number} count */
const expected = (count) => (count * (count - 1)) / 2 + count;

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return port;
}

async function startNats() {
  const port = String(await freePort());
  const folder = mkdtempSync(join(tmpdir(), "waybill-bench-"));
  const flags = ["-a", "127.0.0.1", "-p", port, "-js", "-sd", folder];
  const child = spawn("nats-server", flags, { stdio: "ignore" });
  child.on("error", () => {
    throw new Error("nats-server is not installed; it comes with the package of that name");
  });
  for (let tries = 0; tries < 100; tries++) {
    const connection = await connect({ servers: `127.0.0.1:${port}` }).catch(() => undefined);
    if (connection !== undefined) {
      await connection.close();
      break;
    }
    await delay(50);
  }
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { servers: `127.0.0.1:${port}`, close };
}

/**
 * Makes calls, with a fixed number of them running at a time.
 * @param {number} count
 * @param {(a: number) => Promise<number>} call
 */
async function manyAtOnce(count, call) {
  let next = 0;
  let sum = 0;
  const lane = async () => {
    for (let a = next++; a < count; a = next++) {
      const value = await call(a);
      sum += value;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return sum;
}

/** @param {string} name @param {(a: number) => Promise<number>} call @returns {Contender} */
function contender(name, call) {
  return { name, run: (count) => manyAtOnce(count, call) };
}

/** @param {string} name @param {NatsConnection} connection */
function byClient(name, connection) {
  return contender(name, async (a) => {
    const body = JSON.stringify({ a, b: 1 });
    const answer = await connection.request("plain.add", body, { timeout: DEADLINE_MS });
    /** @type {Sum} */
    const { sum } = answer.json();
    return sum;
  });
}

/** @param {string} name @param {PendingRequestMap} calls */
function byCall(name, calls) {
  return contender(name, async (a) => {
    const options = { identity, deadline: Date.now() + DEADLINE_MS };
    const { data } = await calls.call("math.add", { a, b: 1 }, options);
    return /** @type {Sum} */ (data).sum;
  });
}

/** @param {PendingRequestMap} calls */
function byExecute(calls) {
  return contender("`execute` of a Waybill, with its whole envelope", async (a) => {
    const { data } = await executeRemotely(calls, "math.add", { a, b: 1 });
    return /** @type {Sum} */ (data).sum;
  });
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const { servers, close } = await startNats();
  const child = fork(worker, [servers, KEY]);
  await once(child, "message");
  const plain = await connect({ servers });
  const bare = await connect({ servers, noAsyncTraces: true });
  /** @param {string} service */
  const linkTo = (service) => connectNats({ servers, service, key: KEY, identity });
  const links = [await linkTo("registry"), await linkTo("waybill")];
  const [registry, waybill] = links.map(({ transport }) => new PendingRequestMap({ transport }));
  const contenders = [
    byClient(`${client} \`request\``, plain),
    byClient(`${client} \`request\`, told to keep no traces`, bare),
    byCall("`call` of an operation", registry),
    byCall("`call` of a capability of a Waybill", waybill),
    byExecute(waybill),
  ];
  const rounds = quick ? 5 : 21;
  /** @type {number[][]} */
  let times;
  try {
    times = await interleave(contenders, { rounds, sliceMs: quick ? 100 : 300, expected });
  } finally {
    await Promise.all([plain, bare, ...links].map((each) => each.close()));
    child.kill();
    close();
  }
  /** @type {Row[]} */
  const rows = contenders.map(({ name }, index) => {
    const ratio = ratioWithinRounds(times[index], times[0]);
    const row = { name, value: 1e9 / median(times[index]), unit: "calls/s", ratio };
    if (index < FIRST_WITH_TARGET) return row;
    return { ...row, target: `≥ ${MIN_RATIO} of baseline`, met: ratio >= MIN_RATIO };
  });
  return {
    rows,
    notes: [
      `Medians of ${rounds} interleaved rounds with ${AT_ONCE} calls at a time. The requester, the worker and nats-server share the processors.`,
      "A ratio is computed within each round, and the table shows the median over all rounds. So a slow round affects both sides, and the ratio can differ from that of the medians shown.",
      "A bare subscription answers the client's own requests. Waybill's requests contain a request id, a deadline (not `execute`) and a signed identity, and Waybill checks input, output and access.",
    ],
  };
}
