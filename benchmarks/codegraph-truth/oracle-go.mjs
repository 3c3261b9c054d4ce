// @ts-check
// Asks go/types about a tree of Go files.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {import("./oracle-typescript.mjs").Truth} Truth */
/** @typedef {import("./oracle-typescript.mjs").Place} Place */
/** @typedef {{ truths: Truth[], errors: number, checked: string[] }} Report */

/**
 * @param {string} root @param {readonly string[]} _paths @param {readonly Sampled[]} symbols
 * @returns {{ truths: Truth[], errors: number, isChecked: (path: string) => boolean }}
 */
export function goOracle(root, _paths, symbols) {
  const folder = mkdtempSync(join(tmpdir(), "waybill-go-oracle-"));
  try {
    const program = join(folder, "oracle");
    const source = join(import.meta.dirname, "oracle-go", "main.go");
    const env = { ...process.env, GO111MODULE: "off", GOFLAGS: "", GOPROXY: "off" };
    runGo("go", ["build", "-o", program, source], { env });
    const targets = symbols.map((symbol) => inBytes(root, symbol));
    const output = runGo(program, [root], { env, input: JSON.stringify(targets) });
    const { truths, errors, checked } = /** @type {Report} */ (JSON.parse(output));
    const known = new Set(checked);
    const inUnits = truths.map((truth) =>
      "error" in truth ? truth : { places: truth.places.map((place) => inTextUnits(root, place)) },
    );
    return { truths: inUnits, errors, isChecked: (path) => known.has(path) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @type {Map<string, string[]>} */
const linesByPath = new Map();

/** @param {string} root @param {string} path @param {number} line */
function getLine(root, path, line) {
  const file = join(root, path);
  const lines = linesByPath.get(file) ?? readFileSync(file, "utf8").split("\n");
  linesByPath.set(file, lines);
  return lines[line - 1] ?? "";
}

/** Converts a column to bytes, as Go counts them. @param {string} root @param {Place} place */
function inBytes(root, { path, line, column }) {
  const before = getLine(root, path, line).slice(0, column - 1);
  return { path, line, column: Buffer.byteLength(before) + 1 };
}

/** @param {string} root @param {Place} place */
function inTextUnits(root, { path, line, column }) {
  const before = Buffer.from(getLine(root, path, line)).subarray(0, column - 1);
  return { path, line, column: before.toString("utf8").length + 1 };
}

/** @param {string} command @param {string[]} args @param {{ env: NodeJS.ProcessEnv, input?: string }} options */
function runGo(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`${command} failed: ${stderr.slice(0, 2_000)}`);
  return stdout;
}
