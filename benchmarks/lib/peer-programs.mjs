// @ts-check
// Programs that are compared with ours. They are installed into a separate cache, because nobody
// needs them to work on this repository.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const CACHE = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "waybill-benchmarks",
);
const EXTENSIONS = "ts,tsx,js,jsx,mjs,cjs,mts,cts";

/** @typedef {{ name: string, packages: string[], bin: string, args: (root: string) => string[], codes: number[] }} Peer */

/** @param {string} root */
const configOf = (root) =>
  existsSync(join(root, "tsconfig.json")) ? ["--ts-config", "tsconfig.json"] : [];

/** @type {Record<"fallow" | "dependencyCruiser" | "madge" | "codegraph", Peer>} */
export const PEERS = {
  fallow: {
    name: "fallow 3.36.0",
    packages: ["fallow@3.36.0"],
    bin: "fallow",
    // The program exits with 1 if it has findings.
    codes: [0, 1],
    args: (root) => [
      "dead-code",
      "--unused-exports",
      "--unresolved-imports",
      "--no-cache",
      "--format",
      "json",
      "--quiet",
      "--root",
      root,
    ],
  },
  dependencyCruiser: {
    name: "dependency-cruiser 17.3.9",
    packages: ["dependency-cruiser@17.3.9", "typescript@5.9.3"],
    bin: "depcruise",
    codes: [0],
    args: (root) => [
      "--no-config",
      "--output-type",
      "json",
      "--ts-pre-compilation-deps",
      ...configOf(root),
      "--exclude",
      "(^|/)node_modules/",
      ".",
    ],
  },
  madge: {
    name: "madge 8.0.0",
    packages: ["madge@8.0.0"],
    bin: "madge",
    codes: [0],
    args: (root) => [
      "--extensions",
      EXTENSIONS,
      ...configOf(root),
      "--exclude",
      "node_modules",
      "--json",
      ".",
    ],
  },
  codegraph: {
    name: "codegraph 1.6.1",
    packages: ["@colbymchenry/codegraph@1.6.1"],
    bin: "codegraph",
    codes: [0],
    args: (root) => ["index", "--quiet", root],
  },
};

/** Turns off downloads, telemetry and background processes of the measured programs. */
const ALONE = {
  DO_NOT_TRACK: "1",
  CODEGRAPH_TELEMETRY: "0",
  CODEGRAPH_NO_DAEMON: "1",
  CODEGRAPH_NO_DOWNLOAD: "1",
  CODEGRAPH_NO_UPDATE_CHECK: "1",
};

/**
 * The program's file, installed if necessary; undefined if that fails.
 * @param {Pick<Peer, "packages" | "bin">} peer
 */
export function installed({ packages, bin }) {
  const folder = join(CACHE, packages.join("+").replaceAll("/", "-"));
  const program = join(folder, "node_modules/.bin", bin);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"];
  spawnSync("npm", [...flags, ...packages], { cwd: folder, stdio: "ignore" });
  return existsSync(program) ? program : undefined;
}

/**
 * Milliseconds of one run of a process, without its output. Undefined if it fails.
 * @param {string} program @param {string[]} args @param {string} cwd @param {number[]} codes
 */
export function timeOfProgram(program, args, cwd, codes) {
  const start = performance.now();
  const env = { ...process.env, ...ALONE };
  const { status } = spawnSync(program, args, { cwd, stdio: "ignore", timeout: 600_000, env });
  return status !== null && codes.includes(status) ? performance.now() - start : undefined;
}
