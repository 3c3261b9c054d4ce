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

/** Libraries whose code is bundled in, with the file that holds their licence. */
const bundled = {
  typebox: { name: "TypeBox", licence: "node_modules/typebox/license" },
  "@jmespath-community/jmespath": {
    name: "jmespath (its source is published under the name @jmespath-community/jmespath)",
    licence: "node_modules/@jmespath-community/jmespath/LICENSE",
  },
};

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
    postBanner: ({ moduleIds }) => noticesFor(moduleIds),
  });
  await build.close();
}

/** What an earlier build left would otherwise be packed beside the new files. */
function removeOldCode() {
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (/\.js(\.map)?$/.test(name)) rmSync(join(dist, name));
  }
}

/**
 * The notice of every library in a file.
 * @param {string[]} moduleIds
 */
function noticesFor(moduleIds) {
  return Object.entries(bundled)
    .filter(([id]) => moduleIds.some((moduleId) => moduleId.includes(`node_modules/${id}/`)))
    .map(([, { name, licence }]) => notice(name, readFileSync(join(root, licence), "utf8")))
    .join("\n");
}

/**
 * @param {string} name
 * @param {string} licence
 */
function notice(name, licence) {
  const lines = licence
    .trim()
    .split(/\r?\n/)
    .map((line) => ` * ${line}`.trimEnd());
  const head = ` * This file contains code of ${name}, under its own licence:`;
  return ["/*!", head, " *", ...lines, " */"].join("\n");
}
