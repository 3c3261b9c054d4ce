// @ts-check
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCodeGraph } from "@waybill/codegraph";
import { median } from "../lib/measure.mjs";
import { getCopy, generated, repositories } from "../lib/repositories.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {import("@waybill/codegraph").CodeGraph} CodeGraph */

export const title = "Code graph: building, reopening, updating";

const MIN_MODULE_RATE = 5000;
const MIN_SYMBOL_RATE = 1500;
const MIN_RATE_OF_LARGE = 900;
/**
 * The largest allowed size per parsed file: twice that of the repository nest at commit 5542577.
 */
const LARGE_BYTES = 2 * 2063;
const MAX_REOPEN_MS = 150;
const MAX_UPDATE_MS = 30;
const MAX_LARGE_REOPEN_MS = 400;
const MAX_NEW_EXPORT_MS = 60;
const MAX_DIGEST_MS = 1000;
const MAX_BYTES_A_FILE = 10 * 1024;

const REOPENED_FILES = 5000;
const LARGE_FILES = 20_000;
const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/main.cjs", import.meta.url));
const HELD = fileURLToPath(new URL("../lib/held-memory.mjs", import.meta.url));

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ quick, repos }) {
  const rounds = quick ? 3 : 9;
  /** @type {Row[]} */
  const rows = [];
  for (const { name, root } of repositories(repos, quick ? 2000 : 20_000)) {
    const own = await measureTree(name, getCopy(root), rounds);
    rows.push(...own.map((row) => ({ ...row, name: `${name}: ${row.name}` })));
  }
  const { name, root } = generated(REOPENED_FILES);
  const reopen = await timeOfReopening(root, rounds);
  const target = atMost(reopen, MAX_REOPEN_MS, "ms");
  rows.push({ name: `${name}: reopening the saved graph`, value: reopen, unit: "ms", ...target });
  rows.push(...(await measureLarge(quick ? 2000 : LARGE_FILES, rounds)));
  return {
    rows,
    notes: [
      "Medians in one warm process, on a copy of the tree without node_modules.",
      "Only parsed files are counted. The target of 900 files/s is for trees whose files are twice as large as those of nest.",
      "Memory of the graph: its columns and strings. Memory of an open session: everything that it holds, including the data that updates need, as heap and buffers of a separate process after a garbage collection.",
      "An update is an edit of one file and a call of `refresh()`. The first edit adds a statement. The second adds an exported name, so all files that import the file are linked again.",
    ],
  };
}

/** Measures a tree of many files. @param {number} count @param {number} rounds @returns {Promise<Row[]>} */
async function measureLarge(count, rounds) {
  const { name, root } = generated(count);
  const reopen = await timeOfReopening(root, rounds);
  const digest = timeOfDigest(root, rounds);
  const [edit, exported] = await measureUpdates(root, rounds * 3);
  return [
    { name: "reopening the saved graph", value: reopen, most: MAX_LARGE_REOPEN_MS },
    { name: "`waybill graph digest`, reopened", value: digest, most: MAX_DIGEST_MS },
    { ...edit, most: MAX_UPDATE_MS },
    { ...exported, most: MAX_NEW_EXPORT_MS },
  ].map(({ most, ...row }) => ({
    ...row,
    name: `${name}: ${row.name}`,
    unit: "ms",
    ...atMost(row.value, most, "ms"),
  }));
}

/** The median time of the whole command on a saved graph. @param {string} root @param {number} rounds */
function timeOfDigest(root, rounds) {
  /** @type {number[]} */
  const times = [];
  for (let round = -1; round < rounds; round++) {
    const start = performance.now();
    const { status, stdout } = spawnSync(
      process.execPath,
      [COMMAND, "graph", "digest", "--root", root],
      { encoding: "utf8" },
    );
    if (round >= 0) times.push(performance.now() - start);
    if (status !== 0) throw new Error(`graph digest ended with ${status}: ${stdout}`);
  }
  return median(times);
}

/** @param {string} name @param {string} root @param {number} rounds @returns {Promise<Row[]>} */
async function measureTree(name, root, rounds) {
  const { modules, symbols, graph } = await timesOfBuilding(root, rounds);
  const { files, bytes } = parsedFiles(graph);
  const [moduleRate, symbolRate] = [modules, symbols].map((time) => (files / time) * 1000);
  const isNest = /^nest\b/.test(name);
  const reopen = await timeOfReopening(root, rounds);
  const updates = await measureUpdates(root, rounds * 3);
  const least =
    bytes / files >= LARGE_BYTES ? MIN_RATE_OF_LARGE : isNest ? MIN_SYMBOL_RATE : undefined;
  return [
    { name: "files parsed", value: files, unit: "files" },
    { name: "size of a file", value: bytes / files, unit: "bytes" },
    {
      name: "graph of modules",
      value: moduleRate,
      unit: "files/s",
      ...(isNest && atLeast(moduleRate, MIN_MODULE_RATE)),
    },
    {
      name: "with symbols, references, calls",
      value: symbolRate,
      unit: "files/s",
      ...(least !== undefined && atLeast(symbolRate, least)),
    },
    { name: "reopening the saved graph", value: reopen, unit: "ms" },
    ...memoryRows(root, graph),
    ...updates.map((row) => ({ ...row, unit: "ms", ...atMost(row.value, MAX_UPDATE_MS, "ms") })),
  ];
}

/** @param {number} value @param {number} most @param {string} unit */
function atMost(value, most, unit) {
  return { target: `≤ ${most.toLocaleString("en")} ${unit}`, met: value <= most };
}

/** @param {number} value @param {number} least */
function atLeast(value, least) {
  return { target: `≥ ${least.toLocaleString("en")}`, met: value >= least };
}

/** @param {string} root @param {number} rounds */
async function timesOfBuilding(root, rounds) {
  /** @type {number[]} */
  const modules = [];
  /** @type {number[]} */
  const symbols = [];
  /** @type {CodeGraph | undefined} */
  let graph;
  for (let round = -2; round < rounds; round++) {
    const start = performance.now();
    const open = await openCodeGraph({ root, cache: false });
    const first = performance.now() - start;
    await open.ready;
    const second = performance.now() - start;
    ({ graph } = open);
    await open.close();
    if (round < 0) continue;
    modules.push(first);
    symbols.push(second);
  }
  if (graph === undefined) throw new Error("nothing was built");
  return { modules: median(modules), symbols: median(symbols), graph };
}

/** @param {string} root @param {number} rounds */
async function timeOfReopening(root, rounds) {
  const built = await openCodeGraph({ root });
  await built.ready;
  await built.close();
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const open = await openCodeGraph({ root });
    times.push(performance.now() - start);
    if (open.graph.info.phase !== "symbols") throw new Error("the saved graph was not used");
    await open.close();
  }
  return median(times);
}

/** @param {string} root @param {CodeGraph} graph @returns {Row[]} */
function memoryRows(root, graph) {
  const [inGraph, held] = [graphBytes(graph), heldBytes(root)].map(
    (all) => all / graph.files.count,
  );
  return [
    {
      name: "memory of the graph",
      value: inGraph,
      unit: "bytes a file",
      ...atMost(inGraph, MAX_BYTES_A_FILE, "bytes"),
    },
    { name: "memory of an open session", value: held, unit: "bytes a file" },
  ];
}

/** @param {string} root @param {number} rounds */
async function measureUpdates(root, rounds) {
  const open = await openCodeGraph({ root, cache: false });
  await open.ready;
  const path = middleFile(open.graph);
  /** @param {(round: number) => string} edit */
  const timesOf = async (edit) => {
    /** @type {number[]} */
    const times = [];
    for (let round = -3; round < rounds; round++) {
      appendFileSync(join(root, path), edit(round + 3));
      const start = performance.now();
      await open.refresh([path]);
      if (round >= 0) times.push(performance.now() - start);
    }
    return median(times);
  };
  const body = await timesOf((round) => `\n(() => ${round})();`);
  const names = await timesOf((round) => `\nexport const added${round} = ${round};`);
  await open.close();
  return [
    { name: "update after an edit", value: body },
    { name: "update after an edit that exports another name", value: names },
  ];
}

/** A file with a typical number of importers. @param {CodeGraph} graph */
function middleFile({ files, imports }) {
  const used = Array.from({ length: files.count }, (_, file) => file).filter(
    (file) =>
      files.language(file) === "typescript" &&
      files.kind(file) === "module" &&
      imports.into(file).length > 0,
  );
  const sorted = used.toSorted((a, b) => imports.into(a).length - imports.into(b).length);
  return files.path(sorted[sorted.length >> 1] ?? 0);
}

/** @param {CodeGraph} graph */
function parsedFiles({ files }) {
  const parsed = Array.from({ length: files.count }, (_, file) => file).filter(
    (file) => files.state(file) !== "skipped",
  );
  return {
    files: parsed.length,
    bytes: parsed.reduce((sum, file) => sum + files.bytes(file), 0),
  };
}

/** The memory that opening a code base adds to a process. @param {string} root */
function heldBytes(root) {
  const { stdout, status } = spawnSync(process.execPath, ["--expose-gc", HELD, root], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error("the memory could not be measured");
  return Number(stdout);
}

/** @param {CodeGraph} graph */
function graphBytes({ tables, strings }) {
  let bytes = strings.bytes.byteLength + strings.starts.byteLength;
  for (const table of Object.values(tables)) {
    for (const column of Object.values(table)) bytes += column.byteLength;
  }
  return bytes;
}
