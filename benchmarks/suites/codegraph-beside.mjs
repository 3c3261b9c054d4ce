// @ts-check
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "../lib/measure.mjs";
import { installed, PEERS, timeOfProgram } from "../lib/peer-programs.mjs";
import { getCopy, repositories } from "../lib/repositories.mjs";

/**
 * @typedef {import("../lib/report.mjs").Row} Row
 * @typedef {import("../lib/peer-programs.mjs").Peer} Peer
 * @typedef {{ name: string, program: string, args: string[], codes: number[], least: number }} Contender
 */

export const title = "Code graph: beside other programs";

const MODULES = fileURLToPath(new URL("../lib/dead-exports.mjs", import.meta.url));
const SYMBOLS = fileURLToPath(new URL("../lib/whole-graph.mjs", import.meta.url));
const MAX_MODULES_MB = 350;
const MAX_SYMBOLS_MB = 700;

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ quick, repos }) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, root } of repositories(repos, quick ? 1000 : 20_000)) {
    const found = [...besideModules(root, quick ? 1 : 5), ...besideSymbols(root, quick ? 1 : 3)];
    rows.push(...found.map((row) => ({ ...row, name: `${name}: ${row.name}` })));
  }
  return {
    rows,
    notes: [
      "Medians of whole processes. In every round they run one after the other, and each round starts with another program. A ratio is computed within a round.",
      "Dead exports: our program builds the graph of modules without a saved one, and lists exports that nothing imports and imports that do not resolve. fallow does the same; dependency-cruiser and madge only build the graph.",
      "Changes that saved time in the whole process: the code in few files, loaded while git lists the tree (75 ms less); no core and no cryptography loaded for reading, and a thread that starts while git lists the files (50 ms less). Changes with little effect: a second thread that reads and parses like the first, instead of the parser's own threads (a tenth faster when warm, but not from a cold start, because it has to compile the same code); memory that the parser keeps, larger young generations, and one collector thread (no measurable difference). Limits: on Node 20 the parser writes each tree as JSON, even if only the module record is needed (13 bytes for each byte of source), and half of a run of 600 ms is code that runs for the first time.",
      "Symbols and calls: each program builds its graph with symbols, references and calls from the start and saves it, in a copy of the tree without node_modules. `codegraph index` includes its own Node 24.",
    ],
  };
}

/** @param {string} root @param {number} rounds @returns {Row[]} */
function besideModules(root, rounds) {
  const ours = own("dead exports, whole process", MODULES, root);
  const peers = [
    ...contender(PEERS.fallow, root, 1.3),
    ...contender(PEERS.dependencyCruiser, root, 6),
    ...contender(PEERS.madge, root, 6),
  ];
  return [
    ...compared([ours, ...peers], root, rounds),
    peakMemory("dead exports, peak memory", MODULES, root, MAX_MODULES_MB),
  ];
}

/** @param {string} root @param {number} rounds @returns {Row[]} */
function besideSymbols(root, rounds) {
  const copy = getCopy(root);
  const ours = own("symbols and calls, whole process", SYMBOLS, copy);
  const peers = contender(PEERS.codegraph, copy, 4);
  for (const { program } of peers) timeOfProgram(program, ["init", "--yes", copy], copy, [0]);
  return [
    ...compared([ours, ...peers], copy, rounds),
    peakMemory("symbols and calls, peak memory", SYMBOLS, copy, MAX_SYMBOLS_MB),
  ];
}

/**
 * The most memory that our process holds at once.
 * @param {string} name @param {string} script @param {string} root @param {number} most
 * @returns {Row}
 */
function peakMemory(name, script, root, most) {
  const { stdout } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
  const { peakKiB } = /** @type {{ peakKiB: number }} */ (JSON.parse(stdout));
  const value = (peakKiB * 1024) / 1e6;
  return { name, value, unit: "MB", target: `≤ ${most} MB`, met: value <= most };
}

/** @param {string} name @param {string} script @param {string} root @returns {Contender} */
function own(name, script, root) {
  return { name, program: process.execPath, args: [script, root], codes: [0], least: 0 };
}

/** @param {Peer} peer @param {string} root @param {number} least @returns {Contender[]} */
function contender(peer, root, least) {
  const program = installed(peer);
  if (program === undefined) return [];
  return [{ name: peer.name, program, args: peer.args(root), codes: peer.codes, least }];
}

/**
 * Compares contenders. The first is ours.
 * @param {Contender[]} contenders @param {string} root @param {number} rounds
 */
function compared(contenders, root, rounds) {
  /** @type {(number | undefined)[][]} */
  const times = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another contender, because earlier ones may change the state of the
    // machine.
    for (const step of contenders.keys()) {
      const at = (round + step) % contenders.length;
      const { program, args, codes } = contenders[at];
      times[at].push(timeOfProgram(program, args, root, codes));
    }
  }
  const base = times[0].map((time) => time ?? Number.NaN);
  return contenders.map((one, at) => comparisonRow(one, times[at], at === 0 ? undefined : base));
}

/**
 * @param {Contender} contender @param {(number | undefined)[]} times @param {number[]} [base]
 * @returns {Row}
 */
function comparisonRow({ name, least }, times, base) {
  const taken = times.filter((time) => time !== undefined);
  if (taken.length < times.length)
    return { name: `${name}: fails on this tree`, value: null, unit: "ms" };
  const row = { name, value: median(taken), unit: "ms" };
  if (base === undefined) return row;
  const ratio = median(taken.map((time, round) => time / base[round]));
  const described = `${name} (ours is ${ratio.toFixed(1)} × as fast)`;
  return { ...row, name: described, target: `≥ ${least} ×`, met: ratio >= least };
}
