// @ts-check
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { root } from "./run.mjs";

// Loading many small files costs more than all they do: core is some eighty modules, the TypeBox
// checker behind it hundreds. So tsc writes types, and this writes code in few files: core, whose
// checker stays a file of its own that is loaded on the first check, and the command.

/** Libraries whose code is bundled in, with the file that holds their licence. */
const bundled = {
  typebox: { name: "TypeBox", licence: "node_modules/typebox/license" },
  "@jmespath-community/jmespath": {
    name: "jmespath (its source is published under the name @jmespath-community/jmespath)",
    licence: "node_modules/@jmespath-community/jmespath/LICENSE",
  },
};

/** @typedef {import("rolldown").InputOptions} InputOptions */
/** @typedef {import("rolldown").OutputOptions} OutputOptions */

/** Parts that are loaded on demand and are in the bundle all the same, for they are often wanted. */
const QUICK = new Set([
  "run.ts",
  "chain.ts",
  "explain.ts",
  "list.ts",
  "search.ts",
  "cards.ts",
  "keep-history.ts",
  "checker-engine.ts",
]);

/** What is used together is loaded together, and what a call may do without is not. */
const GROUPS = [
  { name: "token-list", test: /budget\/token-list\.ts$/ },
  { name: "adapters-http", test: /adapters\/src\/(?:http|graphql)\// },
  { name: "adapters-command", test: /adapters\/src\/command\// },
  { name: "find-config", test: /local\/src\/config\/find-config\.ts/ },
  { name: "local-history", test: /local\/src\/history\// },
  { name: "local", test: /packages\/local\// },
  { name: "github-cards", test: /github\/src\/(?:generated|pack\/(?:cards|explain)\.ts)/ },
  { name: "github", test: /packages\/github\// },
  { name: "core-execute", test: /core\/src\/(?:router|budget|execute\/(?!explain))/ },
  { name: "core", test: /core\/src\/(?!schema\/checker-engine)/ },
];

const core = join(root, "packages/core");
const cli = join(root, "packages/cli");
const page = join(root, "packages/inspector/dist");

if (existsSync(join(core, "dist"))) await bundleCore();
if (existsSync(join(cli, "dist"))) await bundleCommand();
if (existsSync(page)) copyPage();

async function bundleCore() {
  const dist = join(core, "dist");
  removeOldCode(dist, /\.js(\.map)?$/);
  const input = {
    index: join(core, "src/index.ts"),
    "testing/index": join(core, "src/testing/index.ts"),
  };
  await write({ input, platform: "neutral" }, { dir: dist, format: "esm" });
}

/**
 * What a quick command needs, as one CommonJS file and a few that are loaded on demand: Node starts
 * CommonJS sooner. The other commands are the ES modules that tsc writes.
 */
async function bundleCommand() {
  const dist = join(cli, "dist");
  removeOldCode(dist, /\.cjs$/);
  await write(
    {
      input: { main: join(cli, "src/main.ts") },
      platform: "node",
      preserveEntrySignatures: "allow-extension",
      external: /^(?!@waybill|typebox|@jmespath-community)[a-z@]/,
      resolve: { conditionNames: ["@waybill/source", "import", "node", "default"] },
      plugins: [slowPartsApart()],
    },
    {
      dir: dist,
      format: "cjs",
      dynamicImportInCjs: true,
      entryFileNames: "[name].cjs",
      minify: true,
      codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false },
    },
  );
  for (const name of readdirSync(dist)) {
    if (name.endsWith(".cjs")) requireLazily(join(dist, name));
  }
  mkdirSync(join(cli, "generated"), { recursive: true });
  const records = "generated/cards.ndjson";
  copyFileSync(join(root, "packages/github", records), join(cli, records));
}

/** The page of `waybill inspect`, with its files compressed once instead of for each who asks. */
function copyPage() {
  const target = join(cli, "dist/inspector");
  rmSync(target, { recursive: true, force: true });
  cpSync(page, target, { recursive: true });
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    const file = join(target, name);
    if (![".html", ".js", ".css", ".svg"].includes(extname(name))) continue;
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

/**
 * Loads each other file, and each module of Node, when something of it is first used: of Node's own
 * `https` alone costs a tenth of an empty program's start.
 * @param {string} file
 */
function requireLazily(file) {
  const code = readFileSync(file, "utf8");
  const lazy = code.replaceAll(
    /\b(?:let|const) (\w+) ?= ?(require\("(?:node:|\.\/)[^"]+"\));/g,
    (_, name, call) => `let ${name}=$lazy(()=>${call});`,
  );
  writeFileSync(file, lazy === code ? code : withHelper(lazy));
}

/** @param {string} code */
function withHelper(code) {
  const helper = `const $lazy=(load)=>{let found;const get=()=>found??=load();return new Proxy({},{get:(_,name)=>get()[name],has:(_,name)=>name in get(),ownKeys:()=>Reflect.ownKeys(get()),getOwnPropertyDescriptor:(_,name)=>({...Object.getOwnPropertyDescriptor(get(),name),configurable:true})})};`;
  const [, hashbang = "", rest = ""] = /^(#![^\n]*\n)?([^]*)$/.exec(code) ?? [];
  return `${hashbang}${helper}\n${rest}`;
}

/** @returns {import("rolldown").Plugin} */
function slowPartsApart() {
  return {
    name: "slow-parts-apart",
    async resolveId(source, importer, { kind }) {
      if (kind !== "dynamic-import" || source.startsWith("node:")) return null;
      const found = await this.resolve(source, importer, { kind, skipSelf: true });
      if (found === null || found.external || isQuick(found.id)) return found;
      const src = join(cli, "src");
      if (!found.id.startsWith(src)) return { id: source, external: true };
      const path = relative(src, found.id).replace(/\.ts$/, ".js");
      return { id: `./${path}`, external: true };
    },
  };
}

/** @param {string} id */
function isQuick(id) {
  return (
    QUICK.has(basename(id)) ||
    /packages\/(?:core|local|github|cli\/src\/waybill)\/(?:src\/)?index\.ts$/.test(id) ||
    id.includes("@jmespath-community")
  );
}

/**
 * @param {InputOptions} input
 * @param {OutputOptions} output
 */
async function write(input, output) {
  const build = await rolldown({
    ...input,
    logLevel: "warn",
    experimental: { attachDebugInfo: "none" },
  });
  await build.write({
    ...output,
    comments: false,
    chunkFileNames: output.format === "cjs" ? "[name].cjs" : "[name].js",
    postBanner: ({ moduleIds }) => noticesFor(moduleIds),
  });
  await build.close();
}

/**
 * What an earlier build left would otherwise be packed beside the new files.
 * @param {string} dist
 * @param {RegExp} code
 */
function removeOldCode(dist, code) {
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (code.test(name)) rmSync(join(dist, name));
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
