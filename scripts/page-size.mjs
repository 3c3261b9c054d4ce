// @ts-check
// npm run page-size: checks that the inspector's page stays small enough to load quickly.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./run.mjs";

const LIMIT_KB = 150;
const assets = join(root, "packages/inspector/dist/assets");

/** The code graph's libraries are loaded when its view is opened. */
const isLater = (/** @type {string} */ name) => name.startsWith("graph");

const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
const kb = bundleSize(scripts.filter((name) => !isLater(name)));
const later = bundleSize(scripts.filter(isLater));
console.log(
  `The page's script is ${kb.toFixed(1)} KB compressed, of ${LIMIT_KB}; the code graph's ${later.toFixed(1)} KB comes later.`,
);
if (kb > LIMIT_KB || kb === 0) process.exitCode = 1;

/** @param {string[]} names */
function bundleSize(names) {
  const bytes = names.map(
    (name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length,
  );
  return bytes.reduce((sum, each) => sum + each, 0) / 1_024;
}
