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
import { commandFiles } from "./command-files.mjs";
import { root } from "./run.mjs";

// Loading many small files costs more than all they do: core is some eighty modules, the TypeBox
// checker behind it hundreds. So tsc writes types, and this writes code in few files: core, whose
// checker stays a file of its own that is loaded on the first check, the code graph, which reads
// modules before it loads what reads symbols, the threads for programs, and the command.

/** Libraries whose code is bundled in, with the file that holds their licence. */
const bundled = {
  typebox: { name: "TypeBox", licence: "node_modules/typebox/license" },
  re2js: { name: "RE2JS", licence: "node_modules/re2js/LICENSE" },
  "@jmespath-community/jmespath": {
    name: "jmespath (its source is published under the name @jmespath-community/jmespath)",
    licence: "node_modules/@jmespath-community/jmespath/LICENSE",
  },
  acorn: { name: "acorn", licence: "node_modules/acorn/LICENSE" },
  "@sveltejs/acorn-typescript": {
    name: "acorn-typescript",
    licence: "node_modules/@sveltejs/acorn-typescript/LICENSE.md",
  },
  "quickjs-wasi": { name: "quickjs-wasi", licence: "node_modules/quickjs-wasi/LICENSE" },
};

/** What reads a tree, before anything is asked of its graph. */
const READING = /codegraph\/src\/(?:build|graph|patterns|settings)\//;

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
  "documents.ts",
  "checker-engine.ts",
  "token-list.ts",
  "linear-engine.ts",
]);

/** What a single call that goes well seldom does: batches, budgets, journals, programs, mistakes. */
const SELDOM = [
  "core/src/calls/|core/src/budget/(?!handles|result-read)",
  "core/src/cards/(?:card\\.|card-(?:problem|schema|uses)|check-|command-|lacking|read-|rest-|steps|verify-)",
  "core/src/cards/mapping/(?:bounded|find|read|syntax|uses|words)",
  "core/src/envelope/(?:strict-json|tool)",
  "core/src/execute/(?:call/run-handler|chain/|wire/|route-states|watch)",
  "core/src/registry/top-hits\\.",
  "core/src/router/(?:judge|keyed|memory|record|send-batch|sort-out|stepped|waiting)",
  "core/src/schema/(?:declared|nearest)",
  "state/src/handles/entry|state/src/files/(?:lock|owner|sweep|write-whole)|state/src/journal/(?:claim|failure|judge|lease|store\\.)|state/src/(?:jsonl-log|trace-observer)",
  "state/src/config/(?:config-schema|source-schemas|edit|http|nats|read|trust)",
  "adapters/src/command/(?!timed)|adapters/src/http/(?:failure|fetch-|link|redirect)",
  "adapters/src/graphql/(?:documents-merge|graphql-source)",
  "cli/src/(?:tree|terminal|read-json)\\.|cli/src/waybill/approver-key",
].join("|");

/**
 * What is used together is loaded together, and what a call may do without is not: the words that
 * tokens are counted by, and the checker where nothing is checked. What explains is of its own, for
 * it needs little of all the rest.
 */
const GROUPS = [
  { name: "token-list", test: /budget\/token-list\.ts$/ },
  { name: "checker", test: /node_modules\/typebox\/|schema\/checker-engine\.ts$/ },
  { name: "linear-engine", test: /node_modules\/re2js\/|pattern\/linear-engine\.ts$/ },
  { name: "jmespath", test: /@jmespath-community/ },
  { name: "cards", test: /adapters\/src\/cards\/|sources\/cards\.ts$/ },
  { name: "documents", test: /adapters\/src\/graphql\/documents(?:-template)?\.ts$/ },
  {
    name: "explain",
    test: /core\/src\/(?:schema\/(?:describe|pointer|types)|cards\/(?:prepare-card|card-table)|execute\/explain|envelope\/json)\.ts$|github\/src\/(?:generated|pack\/(?:cards|explain)\.ts)|find-config\.ts$|commands\/explain\.ts$|rolldown\/runtime/,
  },
  { name: "local-history", test: /state\/src\/(?:history|sqlite)\// },
  { name: "later", test: new RegExp(SELDOM) },
  {
    name: "run",
    test: /packages\/(?:core|adapters|state|github)\/|cli\/src\/(?:waybill|commands)\/|cli\/src\/(?:waiting|progress|read-json|option-values|print-answer|capability-lines)\.ts$/,
  },
];

const core = join(root, "packages/core");
const codegraph = join(root, "packages/codegraph");
const programs = join(root, "packages/code");
const cli = join(root, "packages/cli");
const page = join(root, "packages/inspector/dist");

if (existsSync(join(core, "dist"))) await bundleCore();
if (existsSync(join(codegraph, "dist"))) await bundleCodeGraph();
if (existsSync(join(programs, "dist"))) await bundlePrograms();
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

/** What starts a thread looks for the thread's file beside itself, so that no file is in a folder. */
async function bundleCodeGraph() {
  const dist = join(codegraph, "dist");
  const src = join(codegraph, "src");
  removeOldCode(dist, /\.js(\.map)?$/);
  const input = {
    index: join(src, "index.ts"),
    build: join(src, "build/index.ts"),
    "thread-main": join(src, "build/workers/thread-main.ts"),
  };
  const plugins = [littleOfCore()];
  await write(
    { input, platform: "node", external: isLibrary, plugins },
    { dir: dist, format: "esm" },
  );
}

/**
 * What runs programs, and what their threads run, as a file each: a program waits while they are
 * loaded. The first is in a folder because it looks for the other one beside that.
 */
async function bundlePrograms() {
  const dist = join(programs, "dist");
  removeOldCode(dist, /\.js(\.map)?$/);
  await write(
    { input: { index: join(programs, "src/index.ts") }, platform: "node", external: isLibrary },
    { dir: join(dist, "host"), format: "esm" },
  );
  await write(
    { input: { main: join(programs, "src/thread/main.js") }, platform: "node" },
    { dir: join(dist, "thread"), format: "esm" },
  );
}

/** @param {string} id @param {string | undefined} importer */
function isLibrary(id, importer) {
  return /^[a-z@]/.test(id) && !isReadingByCore(id, importer);
}

/** @param {string} id @param {string | undefined} importer */
function isReadingByCore(id, importer = "") {
  return id === "@waybill/core" && READING.test(importer);
}

/**
 * What reads a tree takes a few lines of the core, and has them in its own files: to load the whole
 * core takes as long as to read a small tree. Errors are known by what they say, not by their class.
 * @returns {import("rolldown").Plugin}
 */
function littleOfCore() {
  return {
    name: "little-of-core",
    resolveId(id, importer) {
      return isReadingByCore(id, importer) ? join(core, "src/envelope/index.ts") : null;
    },
  };
}

/**
 * What a quick command needs, as few CommonJS files: the first, which Node loads, and parts that it
 * loads on demand. The other commands are the ES modules that tsc writes.
 */
async function bundleCommand() {
  const dist = join(cli, "dist");
  removeOldCode(dist, /\.cjs$/);
  const options = {
    format: /** @type {const} */ ("cjs"),
    comments: false,
    dynamicImportInCjs: true,
  };
  const chunks = await generate(
    {
      input: { main: join(cli, "src/main.ts") },
      platform: "node",
      preserveEntrySignatures: "allow-extension",
      external: /^(?!@waybill|typebox|re2js|@jmespath-community)[a-z@]/,
      resolve: { conditionNames: ["@waybill/source", "import", "node", "default"] },
      plugins: [slowPartsApart(), knownVersion()],
    },
    {
      ...options,
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
      codeSplitting: { groups: GROUPS, includeDependenciesRecursively: false },
    },
  );
  const [loader] = await generate(
    { input: join(cli, "src/code-cache/index.ts"), platform: "node" },
    { ...options, exports: "named" },
  );
  if (loader === undefined) throw new Error("The command has nothing to load its parts by");
  for (const [name, code] of commandFiles(chunks, loader.code)) {
    writeFileSync(join(dist, name), code);
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
 * To read it from the manifest would take longer than to say it.
 * @returns {import("rolldown").Plugin}
 */
function knownVersion() {
  return {
    name: "known-version",
    load(id) {
      if (id !== join(cli, "src/version.ts")) return null;
      const manifest = /** @type {{ version: string }} */ (
        JSON.parse(readFileSync(join(cli, "package.json"), "utf8"))
      );
      return `export const version = () => ${JSON.stringify(manifest.version)};`;
    },
  };
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
    /packages\/(?:core|state|github|cli\/src\/waybill)\/(?:src\/)?index\.ts$/.test(id) ||
    id.includes("@jmespath-community")
  );
}

/** @param {InputOptions} input */
function open(input) {
  // Rolldown 1.2.15 panics when it inlines a constant whose module is left out of every chunk.
  const optimization = { inlineConst: false };
  const experimental = { attachDebugInfo: /** @type {const} */ ("none") };
  return rolldown({ ...input, logLevel: "warn", optimization, experimental });
}

/**
 * @param {InputOptions} input
 * @param {OutputOptions} output
 */
async function generate(input, output) {
  const build = await open(input);
  const { output: chunks } = await build.generate(output);
  await build.close();
  return chunks.flatMap((chunk) => {
    if (chunk.type !== "chunk") return [];
    return [{ name: chunk.fileName, code: chunk.code, notices: noticesFor(chunk.moduleIds) }];
  });
}

/**
 * @param {InputOptions} input
 * @param {OutputOptions} output
 */
async function write(input, output) {
  const build = await open(input);
  await build.write({
    ...output,
    comments: false,
    chunkFileNames: "[name].js",
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
