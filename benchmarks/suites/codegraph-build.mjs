// @ts-check
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCodeGraph } from "@waybill/codegraph";
import { median } from "../lib/measure.mjs";
import { installed, PEERS, timeOfProgram } from "../lib/peer-programs.mjs";
import { copyOf, repositories } from "../lib/repositories.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {import("@waybill/codegraph").CodeGraph} CodeGraph */

export const title = "Code graph: building, reopening, updating";

const MIN_MODULE_RATE = 5000;
const MIN_SYMBOL_RATE = 1500;
const MAX_REOPEN_MS = 150;
const MAX_UPDATE_MS = 30;
const MAX_BYTES_A_FILE = 10 * 1024;
const MIN_FASTER = 10;
const OURS = fileURLToPath(new URL("../lib/dead-exports.mjs", import.meta.url));

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ quick, repos }) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, root } of repositories(repos, quick ? 2000 : 20_000)) {
    const inside = await measureInside(copyOf(root), quick ? 3 : 9);
    const beside = measureBeside(root, quick ? 1 : 5);
    rows.push(...[...inside, ...beside].map((row) => ({ ...row, name: `${name}: ${row.name}` })));
  }
  return {
    rows,
    notes: [
      "Inside one process, warm, on a copy of the tree without node_modules: medians.",
      "Beside others: whole processes one after the other in every round, medians; a ratio is taken within a round. Ours opens the graph of modules, unsaved, and lists exports that nothing imports and imports that lead nowhere, as fallow does; dependency-cruiser and madge only make the graph.",
      "A file counts when it is parsed; the memory is that of the graph's columns and texts.",
    ],
  };
}

/** @param {string} root @param {number} rounds @returns {Promise<Row[]>} */
async function measureInside(root, rounds) {
  /** @type {{ modules: number[], symbols: number[], reopen: number[] }} */
  const times = { modules: [], symbols: [], reopen: [] };
  let files = 0;
  let bytes = 0;
  for (let round = -2; round < rounds; round++) {
    const start = performance.now();
    const open = await openCodeGraph({ root, cache: false });
    const modules = performance.now() - start;
    await open.ready;
    const symbols = performance.now() - start;
    if (round >= 0) times.modules.push(modules);
    if (round >= 0) times.symbols.push(symbols);
    [files, bytes] = [parsedFiles(open.graph), bytesOf(open.graph) / open.graph.files.count];
  }
  await (await openCodeGraph({ root })).close();
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await openCodeGraph({ root });
    times.reopen.push(performance.now() - start);
  }
  const reopen = median(times.reopen);
  const [moduleRate, symbolRate] = [times.modules, times.symbols].map(
    (all) => (files / median(all)) * 1000,
  );
  return [
    { name: "files parsed", value: files, unit: "files" },
    {
      name: "graph of modules",
      value: moduleRate,
      unit: "files/s",
      target: `≥ ${MIN_MODULE_RATE} (nest)`,
      met: moduleRate >= MIN_MODULE_RATE,
    },
    {
      name: "with symbols, references, calls",
      value: symbolRate,
      unit: "files/s",
      target: `≥ ${MIN_SYMBOL_RATE} (nest)`,
      met: symbolRate >= MIN_SYMBOL_RATE,
    },
    {
      name: "reopening the saved graph",
      value: reopen,
      unit: "ms",
      target: `≤ ${MAX_REOPEN_MS} ms (5,000 files)`,
      met: reopen <= MAX_REOPEN_MS,
    },
    {
      name: "memory",
      value: bytes,
      unit: "bytes a file",
      target: `≤ ${MAX_BYTES_A_FILE}`,
      met: bytes <= MAX_BYTES_A_FILE,
    },
    ...(await measureUpdates(root, rounds * 3)),
  ];
}

/** @param {string} root @param {number} rounds @returns {Promise<Row[]>} */
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
    {
      name: "update after an edit",
      value: body,
      unit: "ms",
      target: `≤ ${MAX_UPDATE_MS} ms`,
      met: body <= MAX_UPDATE_MS,
    },
    { name: "update after an edit that exports another name", value: names, unit: "ms" },
  ];
}

/** A file with a usual number of importers. @param {CodeGraph} graph */
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
  let count = 0;
  for (let file = 0; file < files.count; file++) if (files.state(file) !== "skipped") count++;
  return count;
}

/** @param {CodeGraph} graph */
function bytesOf({ tables, strings }) {
  let bytes = strings.bytes.byteLength + strings.starts.byteLength;
  for (const table of Object.values(tables)) {
    for (const column of Object.values(table)) bytes += column.byteLength;
  }
  return bytes;
}

/** @param {string} root @param {number} rounds @returns {Row[]} */
function measureBeside(root, rounds) {
  const ours = {
    name: "dead exports, whole process",
    program: process.execPath,
    args: [OURS, root],
    codes: [0],
    least: 0,
  };
  const peers = [PEERS.fallow, PEERS.dependencyCruiser, PEERS.madge].flatMap((peer) => {
    const program = installed(peer);
    const { name, codes } = peer;
    const least = peer === PEERS.fallow ? 1 : MIN_FASTER;
    return program ? [{ name, program, args: peer.args(root), codes, least }] : [];
  });
  const contenders = [ours, ...peers];
  /** @type {(number | undefined)[][]} */
  const times = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, { program, args, codes }] of contenders.entries()) {
      times[at].push(timeOfProgram(program, args, root, codes));
    }
  }
  const base = times[0].map((time) => time ?? Number.NaN);
  return contenders.map(({ name, least }, at) => {
    const own = times[at].filter((time) => time !== undefined);
    if (own.length < rounds)
      return { name: `${name}: fails on this tree`, value: Number.NaN, unit: "ms" };
    const row = { name, value: median(own), unit: "ms" };
    if (at === 0) return row;
    const ratio = median(own.map((time, round) => time / base[round]));
    const compared = `${name} (ours is ${ratio.toFixed(1)} × as fast)`;
    return { ...row, name: compared, target: `> ${least} ×`, met: ratio > least };
  });
}
