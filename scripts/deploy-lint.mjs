// @ts-check
import { spawnSync } from "node:child_process";
import { newerProgram } from "./node-from-npm.mjs";
import { root } from "./run.mjs";

// Checks deploy/ with tools from npm, which it installs into a cache: dclint (with the schema of
// the Compose specification), dockerfile-utils, and the published schemas of Kubernetes.

/** @type {readonly { name: string, suite: string, entry: string, words: string[] }[]} */
const tools = [
  {
    name: "dclint-3.1.0",
    suite: "dclint@3.1.0",
    entry: "dclint/bin/dclint.cjs",
    words: ["--config", "deploy/.dclintrc.json", "deploy/compose.yaml"],
  },
  {
    name: "dockerfile-utils-0.16.3",
    suite: "dockerfile-utils@0.16.3",
    entry: "dockerfile-utils/bin/dockerfile-utils",
    words: ["lint", "deploy/Containerfile"],
  },
  {
    name: "kubernetes-models-5.1.0",
    suite: "kubernetes-models@5.1.0",
    entry: "kubernetes-models/package.json",
    words: [],
  },
];

let failures = 0;
for (const { name, suite, entry, words } of tools) {
  const { program, cache, runtime, reason } = newerProgram(name, suite, entry);
  if (reason !== undefined) {
    console.error(reason);
    failures += 1;
    continue;
  }
  const line = words.length > 0 ? [program, ...words] : ["scripts/lint-manifests.mjs", cache];
  const { status, stdout, stderr } = spawnSync(runtime, line, { cwd: root, encoding: "utf8" });
  console.log(`${status === 0 ? "ok     " : "failed "} ${suite}`);
  if (status !== 0) console.error(`${stdout}${stderr}`);
  failures += status === 0 ? 0 : 1;
}
process.exitCode = failures === 0 ? 0 : 1;
