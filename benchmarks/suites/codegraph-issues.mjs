// @ts-check
import { KINDS, readSample } from "../codegraph-issues/sample.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */

export const title = "Code graph: issues of real repositories, checked by hand";

const MAX_FALSE_PERCENT = 5;
const MIN_ITEMS = 100;

export async function run() {
  const items = readSample();
  const repositories = new Set(items.map(({ repository }) => repository));
  /** @param {string} name @param {typeof items} some @returns {Row} */
  const rate = (name, some) => {
    const value = (some.filter(({ verdict }) => !verdict).length / some.length) * 100;
    const met = value <= MAX_FALSE_PERCENT && items.length >= MIN_ITEMS;
    return { name, value, unit: "%", target: `≤ ${MAX_FALSE_PERCENT} %`, met };
  };
  /** @type {Row[]} */
  const rows = [
    { name: "checked", value: items.length, unit: "issues" },
    { name: "from", value: repositories.size, unit: "repositories" },
    rate("false, of both kinds", items),
    ...KINDS.map((kind) =>
      rate(
        `false: ${kind}`,
        items.filter((item) => item.kind === kind),
      ),
    ),
  ];
  return {
    rows,
    notes: [
      "`codegraph-issues/sample.json` has every item with its commit, a verdict and its reason. `codegraph-issues/README.md` says how the items were chosen and checked.",
    ],
  };
}
