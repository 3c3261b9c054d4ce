// @ts-check
import { median } from "../lib/measure.mjs";
import { getTime } from "../lib/processes.mjs";
import { installedVersion } from "../lib/report.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "Importing the core";

const MAX_OVER_BARE_MS = 25;

const FIRST_CHECK = `
  import { OperationRegistry, defineOperation } from "@waybill/core";
  const input = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  const registry = new OperationRegistry();
  registry.register(
    defineOperation({ id: "math.twice", description: "Doubles", input, handler: ({ a }) => 2 * a }),
  );
  const { data } = await registry.execute("math.twice", { a: 21 });
  if (data !== 42) throw new Error("wrong result");
`;

const FIRST_CHECK_UNBUNDLED = `
  import { Compile } from "typebox/schema";
  const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  if (!Compile(schema).Check({ a: 21 })) throw new Error("wrong result");
`;

/** @param {string} code */
const moduleArgs = (code) => ["--input-type=module", "-e", code];

const PROGRAMS = [
  { name: "bare `node` start", args: ["-e", "0"] },
  { name: "bare start of an empty module", args: moduleArgs("") },
  {
    name: '`import "@waybill/core"`',
    args: moduleArgs('import "@waybill/core"'),
    maxOver: MAX_OVER_BARE_MS,
  },
  {
    name: "import and first checked call (loads the bundled checker)",
    args: moduleArgs(FIRST_CHECK),
  },
  {
    name: `\`import "typebox/schema"\` ${installedVersion("typebox")}, unbundled`,
    args: moduleArgs('import "typebox/schema"'),
  },
  {
    name: "the same and its first check",
    args: moduleArgs(FIRST_CHECK_UNBUNDLED),
  },
];

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const rounds = quick ? 5 : 31;
  /** @type {number[][]} */
  const times = PROGRAMS.map(() => []);
  // The first round only fills the system's file cache.
  for (let round = -1; round < rounds; round++) {
    for (const [index, { args }] of PROGRAMS.entries()) {
      const elapsed = getTime(args);
      if (round >= 0) times[index].push(elapsed);
    }
  }
  const [bare] = times;
  /** @type {Row[]} */
  const rows = PROGRAMS.flatMap(({ name, maxOver }, index) => {
    const row = { name, value: median(times[index]), unit: "ms" };
    if (index === 0) return [row];
    const value = median(times[index].map((time, round) => time - bare[round]));
    const over = { name: "… over the bare start", value, unit: "ms" };
    return maxOver === undefined
      ? [row, over]
      : [row, { ...over, target: `≤ ${maxOver} ms`, met: value <= maxOver }];
  });
  return {
    rows,
    notes: [
      `Medians of ${rounds} interleaved runs, each a new process with its files in the system's cache; the differences are taken within a run.`,
    ],
  };
}
