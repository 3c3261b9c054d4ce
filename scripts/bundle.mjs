// @ts-check
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";

// Loading many small files costs more than all they do: core is some eighty modules, the TypeBox
// checker behind it hundreds. So tsc writes core's types and this writes its code, in few files;
// the checker stays a file of its own that is loaded on the first check.
const core = join(root, "packages/core");
const dist = join(core, "dist");

if (existsSync(dist)) await bundle();

async function bundle() {
  removeOldCode();
  const build = await rolldown({
    input: {
      index: join(core, "src/index.ts"),
      "testing/index": join(core, "src/testing/index.ts"),
    },
    platform: "neutral",
    logLevel: "warn",
    experimental: { attachDebugInfo: "none" },
  });
  await build.write({
    dir: dist,
    format: "esm",
    comments: false,
    chunkFileNames: "[name].js",
    postBanner: ({ name }) => (name === "checker-engine" ? licenceBanner() : ""),
  });
  await build.close();
}

/** What an earlier build left would otherwise be packed beside the new files. */
function removeOldCode() {
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (/\.js(\.map)?$/.test(name)) rmSync(join(dist, name));
  }
}

function licenceBanner() {
  const licence = readFileSync(join(root, "node_modules/typebox/license"), "utf8").trim();
  const lines = licence.split(/\r?\n/).map((line) => ` * ${line}`.trimEnd());
  return [
    "/*!",
    " * This file contains code of TypeBox, under its own licence:",
    " *",
    ...lines,
    " */",
  ].join("\n");
}
