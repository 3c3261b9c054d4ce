// @ts-check
// What go/types says of a tree of Go files.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {import("./oracle-typescript.mjs").Truth} Truth */
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
    run("go", ["build", "-o", program, source], { env });
    const targets = symbols.map(({ path, line, column }) => ({ path, line, column }));
    const output = run(program, [root], { env, input: JSON.stringify(targets) });
    const { truths, errors, checked } = /** @type {Report} */ (JSON.parse(output));
    const known = new Set(checked);
    return { truths, errors, isChecked: (path) => known.has(path) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} command @param {string[]} args @param {{ env: NodeJS.ProcessEnv, input?: string }} options */
function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`${command} failed: ${stderr.slice(0, 2_000)}`);
  return stdout;
}
