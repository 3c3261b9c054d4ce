// @ts-check
import { openLoad, startServer } from "../lib/http-load.mjs";
import { interleave, median, ratioWithinRounds } from "../lib/measure.mjs";
import { installedVersion } from "../lib/report.mjs";

/** @typedef {import("../lib/measure.mjs").Contender} Contender */

export const title = "A call over HTTP";

const CONNECTIONS = 32;
const TARGET = 0.6;
const hono = installedVersion("hono");

/**
 * @param {string} name
 * @param {"bare" | "waybill"} kind
 */
async function getContender(name, kind) {
  const server = await startServer(kind);
  const load = openLoad(server.port, CONNECTIONS);
  /** @type {Contender} */
  const contender = {
    name,
    run: (count) => {
      let left = count;
      return load.run(() => left-- > 0);
    },
  };
  const close = () => {
    load.close();
    server.stop();
  };
  return { contender, close };
}

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const options = quick ? { rounds: 7, sliceMs: 200 } : { rounds: 31, sliceMs: 500 };
  const started = [
    await getContender(`a bare Hono ${hono} handler that returns the same bytes`, "bare"),
    await getContender("`POST /v1/execute/item.view`: token, limits, checks, call", "waybill"),
  ];
  const contenders = started.map(({ contender }) => contender);
  const times = await interleave(contenders, { ...options, expected: (count) => count });
  for (const { close } of started) close();
  const [bare = [], waybill = []] = times;
  const perSecond = times.map((each) => 1e9 / median(each));
  const ratio = ratioWithinRounds(waybill, bare);
  const unit = "requests/s";
  const rows = [
    { name: contenders[0].name, value: perSecond[0], unit, ratio: 1 },
    {
      name: contenders[1].name,
      value: perSecond[1],
      unit,
      ratio,
      target: `≥ ${TARGET} ×`,
      met: ratio >= TARGET,
    },
  ];
  const notes = [
    `Medians of ${options.rounds} interleaved rounds over ${CONNECTIONS} open connections. The server runs in a separate process, and every answer is checked.`,
    "The bare handler does not read the request's body, so Hono's server for Node has to drain it. Waybill reads a small body in one piece, one turn of the event loop after the headers, so that requests which arrive together are answered together.",
  ];
  return { rows, notes };
}
