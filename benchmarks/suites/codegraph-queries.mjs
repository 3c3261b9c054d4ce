// @ts-check
import { spawnSync } from "node:child_process";
import { GRAPH_TOOLS, openCodeGraph, openGraphTools } from "@waybill/codegraph";
import { percentile, seededRandom } from "../lib/measure.mjs";
import { generated } from "../lib/repositories.mjs";

/**
 * @typedef {import("../lib/report.mjs").Row} Row
 * @typedef {import("@waybill/codegraph").GraphTools} GraphTools
 * @typedef {Record<string, unknown>} Args
 * @typedef {{ path: () => string, symbol: () => string, word: () => string, issue: string }} Names
 */

export const title = "Code graph: every question on 20,000 files";

const MAX_P99_MS = 10;
const MAX_MS = 50;
const WARM_CALLS = 5;

/**
 * The question for each tool. Every call has a different target.
 * @type {Record<string, (names: Names) => Args>}
 */
const QUESTIONS = {
  digest: () => ({}),
  issues: () => ({}),
  impact: ({ path }) => ({ target: path() }),
  path: ({ path }) => ({ from: path(), to: path() }),
  module: ({ path }) => ({ target: path() }),
  annotations: () => ({ action: "list" }),
  cycles: () => ({}),
  layers: () => ({ action: "check" }),
  search: ({ word }) => ({ query: word() }),
  tree: ({ path }) => ({ path: path().split("/")[0] }),
  symbols: ({ path }) => ({ target: path() }),
  references: ({ symbol }) => ({ symbol: symbol() }),
  definition: ({ symbol }) => ({ symbol: symbol() }),
  call_hierarchy: ({ symbol }) => ({ symbol: symbol(), direction: "both" }),
  issue_explain: ({ issue }) => ({ issueId: issue }),
  issue_fixplan: ({ issue }) => ({ issueIds: [issue] }),
  changes: () => ({ since: "HEAD" }),
  implementations: ({ symbol }) => ({ symbol: symbol() }),
  tests: ({ path }) => ({ target: path() }),
  source: ({ symbol }) => ({ symbol: symbol() }),
  rename: ({ symbol }) => ({ symbol: symbol(), to: "renamedByTheBenchmark" }),
};

/** Tools that have a second question, because the first does not need everything they read. */
const SECOND = {
  search: {
    name: "search by words",
    ask: (/** @type {Names} */ { word }) => ({ query: `run depth ${word()}` }),
  },
};

/** Tools that are not measured, because they change files. */
const WRITES = ["rename_apply"];

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const files = quick ? 2000 : 20_000;
  const { name, root } = generated(files);
  commit(root);
  const session = await openCodeGraph({ root });
  await session.ready;
  await session.close();
  const tools = openGraphTools({ root });
  const names = await questionNames(tools, files);
  /** @type {Row[]} */
  const rows = [];
  for (const tool of GRAPH_TOOLS.filter((each) => !WRITES.includes(each)))
    rows.push(await measureTool(tools, tool, names, quick ? 50 : 300));
  for (const [tool, second] of Object.entries(SECOND))
    rows.push(await measureTool(tools, tool, names, quick ? 50 : 300, second));
  await tools.close();
  return {
    rows,
    notes: [
      `On ${name} in a git repository, one call after the other, each with a different target. The first ${WARM_CALLS} are not counted. The figure is the 99th percentile of whole calls, from the arguments to the envelope. The first call of a tool on a graph prepares data that later calls use. \`changes\` runs git.`,
    ],
  };
}

/**
 * @param {GraphTools} tools @param {string} tool @param {Names} names @param {number} calls
 * @param {{ name: string, ask: ((names: Names) => Args) | undefined }} question
 * @returns {Promise<Row>}
 */
async function measureTool(
  tools,
  tool,
  names,
  calls,
  { name, ask } = { name: tool, ask: QUESTIONS[tool] },
) {
  if (ask === undefined) throw new Error(`No question is written down for ${tool}`);
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const processor = [];
  let first = Number.NaN;
  // Fewer calls, because starting git takes most of the time.
  const count = tool === "changes" ? Math.ceil(calls / 10) : calls;
  for (let call = -WARM_CALLS; call < count; call++) {
    const args = ask(names);
    const before = process.cpuUsage();
    const start = performance.now();
    const envelope = await tools.call(tool, args);
    const time = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    if (!envelope.success) throw new Error(`${tool} failed: ${JSON.stringify(envelope)}`);
    if (call === -WARM_CALLS) first = time;
    if (call < 0) continue;
    times.push(time);
    processor.push((user + system) / 1000);
  }
  const value = percentile(times, 99);
  const middle = percentile(times, 50);
  const most = Math.max(...times);
  return {
    name: `${name} (median ${middle.toFixed(2)} ms, longest ${most.toFixed(1)} ms, first ${first.toFixed(0)} ms, processor time ${percentile(processor, 99).toFixed(1)} ms)`,
    value,
    unit: "ms",
    target: `≤ ${MAX_P99_MS} ms, longest ≤ ${MAX_MS} ms`,
    met: value <= MAX_P99_MS && most <= MAX_MS,
  };
}

/** @param {GraphTools} tools @param {number} files @returns {Promise<Names>} */
async function questionNames(tools, files) {
  const random = seededRandom(11);
  const folders = Math.ceil(files / 51);
  const place = () => ({
    folder: Math.floor(random() * folders),
    file: Math.floor(random() * 50),
  });
  const { data } = await tools.call("issues", {});
  const { issues } = /** @type {{ issues: { id: string }[] }} */ (data.result);
  return {
    path: () => (({ folder, file }) => `m${folder}/f${file}.ts`)(place()),
    symbol: () => (({ folder, file }) => `runf${file}m${folder}`)(place()),
    word: () => (({ folder, file }) => `classf${file}${folder}`)(place()),
    issue: issues[0]?.id ?? "",
  };
}

/** @param {string} root */
function commit(root) {
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "all"],
  ]) {
    const { status } = spawnSync("git", [...identity, ...args], { cwd: root });
    if (status !== 0) throw new Error(`git ${args[0] ?? ""} failed`);
  }
}
