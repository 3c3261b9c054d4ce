// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** Changesets does not update packages that are never published. */
const OWN_VERSION = /(?<=^ {2}"version": ")\d+\.\d+\.\d+/gm;

/** Files that contain the version and that neither changesets nor "npm run generate" updates. */
export const versionFiles = {
  "packages/inspector/package.json": OWN_VERSION,
  "examples/package.json": OWN_VERSION,
  "benchmarks/package.json": OWN_VERSION,
  "deploy/Containerfile": /(?<=\bwaybill:|WAYBILL_VERSION=)\d+\.\d+\.\d+/g,
  "deploy/compose.yaml": /(?<=\bwaybill:)\d+\.\d+\.\d+/g,
  "deploy/kubernetes/gateways.yaml": /(?<=\bwaybill:)\d+\.\d+\.\d+/g,
  "deploy/kubernetes/workers.yaml": /(?<=\bwaybill:)\d+\.\d+\.\d+/g,
  "examples/pack-hello/package.json": /(?<="@waybill\/\w+": ">=)\d+\.\d+\.\d+/g,
};

/** @param {string} version */
export function writeVersionFiles(version) {
  for (const [path, named] of Object.entries(versionFiles)) {
    const file = join(root, path);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(named, version));
  }
}
