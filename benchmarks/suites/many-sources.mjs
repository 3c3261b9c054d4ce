// @ts-check
// npm run bench -- many-sources --repo <folder of OpenAPI descriptions, .json or .yaml>
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startGithubServer } from "../lib/github-process.mjs";
import { median } from "../lib/measure.mjs";
import { installedVersion } from "../lib/report.mjs";

/** @typedef {import("../lib/report.mjs").Row} Row */
/** @typedef {{ ms: number, cpuMs: number, mb: number, stdout: string, stderr: string }} Used */
/** @typedef {{ cwd: string, env: Record<string, string> }} Place */

export const title = "Many sources, and a process that stays";

const command = fileURLToPath(new URL("../../packages/cli/dist/main.cjs", import.meta.url));
const usage = fileURLToPath(new URL("../lib/write-usage.cjs", import.meta.url));
const kept = fileURLToPath(new URL("../lib/kept-minisearch.mjs", import.meta.url));
/** The descriptions to use if no folder is given. */
const EXAMPLES = fileURLToPath(
  new URL("../../node_modules/@readme/oas-examples/3.0/json", import.meta.url),
);
const WORDS = "refund a payment";
const SEARCH = [command, "capabilities", "search", WORDS, "--json"];
const FIRST_MS = 900_000;
/** How many times the time of `node -e 0` a call through `waybill up` may take. Node 24 starts faster. */
const MOST_OF_BARE = Number.parseInt(process.versions.node, 10) >= 24 ? 1.6 : 1.4;

/** A project whose sources are the descriptions of a folder. @param {string} folder @returns {Place} */
function createProject(folder) {
  const cwd = mkdtempSync(join(tmpdir(), "waybill-many-"));
  const sources = Object.fromEntries(
    readdirSync(folder)
      .filter((name) => /\.(?:json|ya?ml)$/u.test(name))
      .map((name) => [parse(name).name, { kind: "openapi", document: join(folder, name) }]),
  );
  mkdirSync(join(cwd, ".config/waybill"), { recursive: true });
  writeFileSync(join(cwd, ".config/waybill/config.json"), JSON.stringify({ sources }));
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, WAYBILL_KEYRING: "off" };
  return { cwd, env };
}

/** A new process to its end. @param {Place} place @param {string[]} args @returns {Used} */
function use({ cwd, env }, args) {
  const report = join(cwd, "usage.json");
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", usage, ...args], {
    cwd,
    env: { ...env, BENCH_USAGE: report },
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return { ...JSON.parse(readFileSync(report, "utf8")), ms, stdout, stderr };
}

/** Removes a folder. A process that is ending may still write its compiled code to it. @param {string} folder */
async function removeFolder(folder, tries = 50) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await removeFolder(folder, tries - 1);
  }
}

/** Megabytes that a process holds now. @param {number} pid */
function readMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1_024;
}

/** An MCP server after a client has searched. @param {Place} place */
async function servedMemory({ cwd, env }) {
  const child = spawn(process.execPath, [command, "serve", "mcp"], { cwd, env });
  const lines = createInterface({ input: child.stdout });
  /** @param {number} id @param {string} method @param {object} params */
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const line = String((await once(lines, "line"))[0]);
      if (JSON.parse(line).id === id) return line;
    }
  };
  try {
    const clientInfo = { name: "bench", version: "1" };
    await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const started = performance.now();
    const search = { name: "list_capabilities", arguments: { query: WORDS } };
    const answer = await ask(2, "tools/call", search);
    const firstMs = performance.now() - started;
    return { mb: readMemory(child.pid ?? 0), firstMs, answer };
  } finally {
    child.kill();
  }
}

/** @param {number} rounds */
async function measureUp(rounds) {
  const cwd = mkdtempSync(join(tmpdir(), "waybill-up-"));
  const github = await startGithubServer();
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, WAYBILL_GITHUB: github.env };
  const call = [command, "run", "issue.view", "owner=octo", "name=hello", "number=1"];
  try {
    use({ cwd, env }, [command, "up"]);
    use({ cwd, env }, call);
    const pairs = Array.from({ length: rounds }, () => ({
      bare: use({ cwd, env }, ["-e", "0"]),
      up: use({ cwd, env }, call),
    }));
    return {
      bareMs: median(pairs.map(({ bare }) => bare.ms)),
      upMs: median(pairs.map(({ up }) => up.ms)),
      ratio: median(pairs.map(({ bare, up }) => up.ms / bare.ms)),
      cpuRatio: median(pairs.map(({ bare, up }) => up.cpuMs / bare.cpuMs)),
    };
  } finally {
    spawnSync(process.execPath, [command, "down"], { cwd, env });
    github.close();
    await removeFolder(cwd);
  }
}

/** @param {{ quick: boolean, repos: string[] }} options */
export async function run({ quick, repos: [folder = EXAMPLES] }) {
  const rounds = quick ? 3 : 15;
  const place = createProject(folder);
  const index = join(place.cwd, "minisearch.json");
  try {
    const first = use(place, [...SEARCH, "--wait-ms", String(FIRST_MS)]);
    use(place, [kept, "write", folder, index]);
    const cold = Array.from({ length: rounds }, () => ({
      ours: use(place, SEARCH),
      theirs: use(place, [kept, "search", index, WORDS]),
    }));
    const missing = cold.filter(({ ours }) => /Not searched/u.test(ours.stderr)).length;
    const served = await servedMemory(place);
    const up = await measureUp(quick ? 5 : 31);
    const ours = cold.map((each) => each.ours);
    const theirs = cold.map((each) => each.theirs);
    return { rows: getRows({ first, ours, theirs, served, up }), notes: getNotes(folder, missing) };
  } finally {
    await removeFolder(place.cwd);
  }
}

/** @param {Used[]} all @param {"ms" | "cpuMs" | "mb"} what */
function middle(all, what) {
  return median(all.map((each) => each[what]));
}

/** @param {string} name @param {number} value @param {string} unit @param {number} [most] @returns {Row} */
function row(name, value, unit, most) {
  const target = most === undefined ? {} : { target: `≤ ${most} ${unit}`, met: value <= most };
  return { name, value, unit, ...target };
}

/**
 * @param {{ first: Used, ours: Used[], theirs: Used[], served: { mb: number, firstMs: number },
 *   up: { bareMs: number, upMs: number, ratio: number, cpuRatio: number } }} measured
 * @returns {Row[]}
 */
function getRows({ first, ours, theirs, served, up }) {
  const peer = `minisearch ${installedVersion("minisearch")} with a stored index`;
  return [
    row("the first search, which reads every description: processor time", first.cpuMs, "ms"),
    row("`waybill capabilities search`, cold", middle(ours, "ms"), "ms", 300),
    row("… processor time", middle(ours, "cpuMs"), "ms"),
    row("… memory", middle(ours, "mb"), "MB", 120),
    row(`${peer}, cold`, middle(theirs, "ms"), "ms"),
    row("… processor time", middle(theirs, "cpuMs"), "ms"),
    row("… memory", middle(theirs, "mb"), "MB"),
    row("`waybill serve mcp` after a search: memory", served.mb, "MB", 250),
    row("… its first search", served.firstMs, "ms"),
    row("bare `node -e 0`", up.bareMs, "ms"),
    row("`waybill run issue.view` through `waybill up`", up.upMs, "ms"),
    row("… of the bare start", up.ratio, "×", MOST_OF_BARE),
    row("… of the bare start, processor time", up.cpuRatio, "×"),
  ];
}

/** @param {string} folder @param {number} missing */
function getNotes(folder, missing) {
  const count = readdirSync(folder).length;
  return [
    `${count} descriptions and the built-in GitHub are searched for "${WORDS}"; ${missing} of the searches named a missing source.`,
    "Medians; each measurement is a new process. Compiled code and the index of the sources are stored on disk, as after any first search.",
    "minisearch indexes the id, the summary and the beginning of the description of the same operations. It also finds beginnings of words and misspelt words.",
  ];
}
