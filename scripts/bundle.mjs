// @ts-check
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";

// The schema checker pulls in hundreds of small TypeBox modules; as one file it loads about ten
// times faster. It is bundled from source, not from the previous output, so running this twice
// changes nothing.
const source = join(root, "packages/core/src/schema/checker-engine.ts");
const target = join(root, "packages/core/dist/schema/checker-engine.js");

if (existsSync(source) && existsSync(target)) await bundle();

async function bundle() {
  const build = await rolldown({
    input: source,
    platform: "neutral",
    logLevel: "warn",
    experimental: { attachDebugInfo: "none" },
  });
  await build.write({
    file: target,
    format: "esm",
    comments: false,
    postBanner: licenceBanner(),
  });
  await build.close();
  rmSync(`${target}.map`, { force: true });
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
