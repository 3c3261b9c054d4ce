// @ts-check
// node benchmarks/codegraph-issues/draw.mjs --seed 6 --each 50 <checkout>…
// Selects random issues of two kinds, evenly over the checkouts, and prints them without verdicts.
import { spawnSync } from "node:child_process";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openCodeGraph, openGraphTools } from "@waybill/codegraph";
import { seededRandom } from "../lib/measure.mjs";

/** @typedef {import("./sample.mjs").Item} Item */
/** @typedef {{ id: string, file: string, line?: number, summary: string }} Listed */

const KINDS = /** @type {const} */ (["HANDLER_UNREACHABLE", "ORPHAN_EXPORT"]);
const PAGE = 500;

const { values, positionals } = parseArgs({
  options: {
    seed: { type: "string", default: "6" },
    each: { type: "string", default: "50" },
  },
  allowPositionals: true,
});

/** @type {Map<string, Omit<Item, "verdict" | "reason">[]>} */
const byKind = new Map(KINDS.map((kind) => [kind, []]));
const random = seededRandom(Number(values.seed));
const repositories = [];
for (const folder of positionals) repositories.push(await issuesIn(resolve(folder)));
for (const kind of KINDS) {
  const decks = repositories.map((all) => shuffled(all.filter((item) => item.kind === kind)));
  for (const item of dealt(decks, Number(values.each))) byKind.get(kind)?.push(item);
}
console.log(JSON.stringify([...byKind.values()].flat(), undefined, 1));
process.exit();

/** @param {string} root @returns {Promise<Omit<Item, "verdict" | "reason">[]>} */
async function issuesIn(root) {
  const commit = spawnSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" });
  const place = { repository: basename(root), commit: commit.stdout.trim() };
  // Entry points are known with the symbols; before that, no code is reported as dead.
  const session = await openCodeGraph({ root });
  await session.ready;
  await session.close();
  const tools = openGraphTools({ root });
  const found = [];
  for (const kind of KINDS) {
    for await (const { id, file, line, summary } of getPages(tools, kind)) {
      const symbol = / imports (\S+) of /.exec(summary)?.[1];
      found.push({ ...place, kind, id, file, ...(line && { line }), ...(symbol && { symbol }) });
    }
  }
  await tools.close();
  return found;
}

/** @param {import("@waybill/codegraph").GraphTools} tools @param {string} kind */
async function* getPages(tools, kind) {
  /** @type {string | undefined} */
  let cursor;
  do {
    const asked = { kind, limit: PAGE, maxTokens: 200_000, ...(cursor && { cursor }) };
    const { data } = await tools.call("issues", asked);
    const { issues } = /** @type {{ issues: Listed[] }} */ (data.result);
    yield* issues;
    const page = /** @type {{ cursor?: string, hasMore?: boolean }} */ (data.meta.page ?? {});
    cursor = page.hasMore ? page.cursor : undefined;
  } while (cursor !== undefined);
}

/** @template T @param {T[]} list */
function shuffled(list) {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

/**
 * Takes one from each deck in turn, until there are enough.
 * @template T @param {T[][]} decks @param {number} count
 */
function dealt(decks, count) {
  const deepest = Math.max(...decks.map((deck) => deck.length));
  const rounds = Array.from({ length: deepest }, (_, at) =>
    decks.flatMap((deck) => deck.slice(at, at + 1)),
  );
  return rounds.flat().slice(0, count);
}
