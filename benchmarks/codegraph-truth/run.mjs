// @ts-check
// node benchmarks/codegraph-truth/run.mjs --repo <folder> [--config tsconfig.json] [--list 20]
// Compares the calls of the code graph with TypeScript 5.9 on the same files.
import { realpathSync } from "node:fs";
import { parseArgs } from "node:util";
import { openCodeGraph } from "@waybill/codegraph";
import { compareCalls } from "./compare.mjs";
import { getCalls, createProgram } from "./typescript-calls.mjs";

/** @typedef {import("./typescript-calls.mjs").Call} Call */

const { values } = parseArgs({
  options: {
    repo: { type: "string" },
    config: { type: "string", default: "tsconfig.json" },
    list: { type: "string", default: "0" },
  },
});
if (values.repo === undefined) throw new TypeError("--repo <folder> names the tree to compare");
const root = realpathSync(values.repo);

const opened = await openCodeGraph({ root });
await opened.ready;
const calls = [...getCalls(root, createProgram(root, values.config))];
const { graph } = opened;
const result = compareCalls(graph, calls);
await opened.close();

const percent = (/** @type {number} */ part, /** @type {number} */ whole) =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(2)} %`;

console.log(
  `recall    ${percent(result.found, result.calls)} (${result.found} of ${result.calls} calls)`,
);
console.log(
  `precision ${percent(result.right, result.edges)} (${result.right} of ${result.edges} edges)`,
);
print(
  "missed, by what is called",
  result.missed.map((call) => targetName(call)),
);
print(
  "wrong, by where the edge leads",
  result.wrong.map(
    ({ symbol }) => `${graph.files.path(graph.symbols.file(symbol))}#${graph.symbols.name(symbol)}`,
  ),
);
for (const call of spread(result.missed)) console.log(`missed ${symbolLocation(call)}`);
for (const { call, symbol } of spread(result.wrong)) {
  console.log(`wrong ${symbolLocation(call)} leads to ${graph.symbols.name(symbol)}`);
}

/** @param {Call} call */
function targetName({ declarations: [first] }) {
  return first ? `${first.path}#${first.name}` : "?";
}

/** @param {Call} call */
function symbolLocation({ path, line, column, text }) {
  return `${path}:${line}:${column} ${text}`;
}

/** @param {string} title @param {readonly string[]} names */
function print(title, names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, 10);
  if (most.length > 0) console.log(`\n${title}:`);
  for (const [name, count] of most) console.log(`  ${count} × ${name}`);
}

/**
 * The requested number of items, spread over the list.
 * @template Item @param {readonly Item[]} list
 */
function spread(list) {
  const wanted = Number(values.list);
  if (wanted === 0) return [];
  const step = Math.max(1, Math.floor(list.length / wanted));
  return list.filter((_, place) => place % step === 0).slice(0, wanted);
}
