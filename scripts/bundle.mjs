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
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, extname, join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { guestToKeep } from "../packages/code/src/thread/template.js";
import { commandFiles } from "./command-files.mjs";
import { root } from "./run.mjs";

// Loading many small files is slow: core has about eighty modules, and its TypeBox checker
// hundreds. So tsc writes only types, and this script bundles the code into a few files. They are
// core (its checker is a separate file that the first check loads), MCP, the code graph (which
// reads modules before it loads the code for symbols), the threads for programs, the other packages,
// and the command.

const LIBRARY = /^[a-z@]/;

/** Everything except Waybill's own packages and the libraries that are bundled into the command. */
const UNBUNDLED = /^(?!@waybill|@modelcontextprotocol|typebox|re2js|@jmespath-community)[a-z@]/;

/**
 * The libraries that a bundled library needs are bundled with it: no package installs them.
 * @param {string} id @param {string | undefined} importer
 */
function isUnbundled(id, importer = "") {
  if (isBuiltin(id)) return true;
  return UNBUNDLED.test(id) && !importer.includes("node_modules");
}

/** @typedef {import("rolldown").InputOptions} InputOptions */
/** @typedef {import("rolldown").OutputOptions} OutputOptions */

/** @type {Set<string>} */
const bundledFolders = new Set();

const core = join(root, "packages/core");
const codegraph = join(root, "packages/codegraph");
const programs = join(root, "packages/code");
const mcp = join(root, "packages/mcp");
const github = join(root, "packages/github");
const cli = join(root, "packages/cli");
const page = join(root, "packages/inspector/dist");

/** An import with a comment that names the part of the command for its module. */
const PART = /\bimport\(\/\* part: (?<part>\w+) \*\/ "(?<source>[^"]+)"\)/g;

/** A file of the package that a module in `src` refers to. */
const NAMED_FILE = /new URL\("\.\.\/(?<file>[^"]+)", import\.meta\.url\)/g;

if (existsSync(join(core, "dist"))) await bundleCore();
if (existsSync(join(codegraph, "dist"))) await bundleCodeGraph();
if (existsSync(join(programs, "dist"))) await bundlePrograms();
if (existsSync(join(mcp, "dist"))) await bundleMcp();
for (const name of ["adapters", "server", "state"]) {
  const folder = join(root, "packages", name);
  if (existsSync(join(folder, "dist"))) await bundlePackage(folder);
}
// The GitHub emulator uses a part of graphql, whose hundred files take 60 ms to load.
if (existsSync(join(github, "dist"))) await bundlePackage(github, /^(?!graphql$)[a-z@]/);
if (existsSync(join(github, "dist"))) copySchema();
if (existsSync(join(cli, "dist"))) await bundleCommand();
if (existsSync(page)) copyPage();
writeBundled();

async function bundleCore() {
  const dist = join(core, "dist");
  removeOldCode(dist, /\.js(\.map)?$/);
  await writeBundle(
    { input: publicModules(core), platform: "neutral" },
    { dir: dist, format: "esm" },
  );
}

/**
 * Code that starts a thread looks for the thread's file beside itself, so all files must be in one
 * folder.
 */
async function bundleCodeGraph() {
  const dist = join(codegraph, "dist");
  removeOldCode(dist, /\.js(\.map)?$/);
  const input = { ...publicModules(codegraph), ...threadModules(codegraph) };
  copyGrammars();
  const plugins = [await littleOfCore(publicModules(codegraph)["build"])];
  // The code graph uses only one of the five hundred files of protobuf.
  const external = /^(?!@bufbuild\/)[a-z@]/;
  await writeBundle({ input, platform: "node", external, plugins }, { dir: dist, format: "esm" });
}

/**
 * Bundles the program runner and the code of its thread, as one file each, because a program waits
 * while they load. The first is in a folder, because it looks for the other one in a neighbouring
 * folder.
 */
async function bundlePrograms() {
  const dist = join(programs, "dist");
  removeOldCode(dist, /\.js(\.map)?$/);
  const options = { dir: dist, format: /** @type {const} */ ("esm") };
  await writeBundle(
    { input: publicModules(programs), platform: "node", external: LIBRARY },
    options,
  );
  // A thread starts faster with CommonJS, which needs no ES module loader.
  await writeBundle(
    { input: threadModules(programs), platform: "node" },
    { dir: dist, format: "cjs", minify: true, chunkFileNames: "thread/[name].js" },
  );
  writeFileSync(join(dist, "thread/package.json"), '{ "type": "commonjs" }\n');
  const engine = readFileSync(join(root, "node_modules/quickjs-wasi/quickjs.wasm"));
  writeFileSync(join(dist, "thread/quickjs.wasm"), engine);
  writeFileSync(join(dist, "thread/guest.snapshot"), await guestToKeep(engine));
}

/** The MCP SDK and its libraries take 25 MB installed, and 1 MB bundled. */
async function bundleMcp() {
  const dist = join(mcp, "dist");
  removeOldCode(dist, /\.js(\.map)?$/);
  const external = /^(?:@waybill\/|jsonc-parser$|node:)/;
  await writeBundle(
    { input: publicModules(mcp), platform: "node", external },
    { dir: dist, format: "esm" },
  );
}

/**
 * The public modules of a package as a file each, with the code that they share.
 * @param {string} folder
 * @param {RegExp} external
 */
async function bundlePackage(folder, external = LIBRARY) {
  const dist = join(folder, "dist");
  removeOldCode(dist, /\.js(\.map)?$/);
  await writeBundle(
    {
      input: publicModules(folder),
      platform: "node",
      external,
      resolve: { mainFields: ["module", "main"] },
      plugins: [addressesKept(join(folder, "src"))],
    },
    { dir: dist, format: "esm" },
  );
}

/**
 * Modules read files whose paths start at their own folder, wherever their code is in the end.
 * @param {string} src
 * @returns {import("rolldown").Plugin}
 */
function addressesKept(src) {
  const mark = "$dist/";
  return {
    name: "addresses-kept",
    transform(code, id) {
      if (!id.startsWith(src) || !code.includes("import.meta.url")) return null;
      const file = mark + relative(src, id).replace(/\.ts$/, ".js");
      return code.replaceAll("import.meta.url", `new URL("${file}", import.meta.url)`);
    },
    renderChunk(code, { fileName }) {
      const path = relative(dirname(fileName), ".") || ".";
      return code.includes(mark) ? code.replaceAll(mark, `${path}/`) : null;
    },
  };
}

/**
 * The public modules of a package, by the names of their built files in the manifest.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function publicModules(folder) {
  const { exports } = /** @type {{ exports: Record<string, Record<string, string>> }} */ (
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  );
  return Object.fromEntries(
    Object.values(exports).map(({ default: built = "", "@waybill/source": source = "" }) => [
      built.replace(/^\.\/dist\/|\.js$/g, ""),
      join(folder, source),
    ]),
  );
}

/**
 * The thread code of a package: `main` in a folder `thread`, or a `thread-main`, which is searched
 * in the folder of its starter.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function threadModules(folder) {
  const src = join(folder, "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const found = files.flatMap((file) => {
    const [, name] = /(?:^|\/)(thread[-/]main)\.[jt]s$/.exec(file) ?? [];
    return name === undefined ? [] : [[name, join(src, file)]];
  });
  return Object.fromEntries(found);
}

/** Copies the smaller parsers from a package with parsers for twenty languages. */
function copyGrammars() {
  const from = join(root, "node_modules/@vscode/tree-sitter-wasm");
  const target = join(codegraph, "dist/grammars");
  mkdirSync(target, { recursive: true });
  copyFileSync(join(from, "LICENSE"), join(target, "LICENSE"));
  // Otherwise Node would load the library's file as an ES module, because of the outer
  // package.json.
  writeFileSync(join(target, "package.json"), '{ "type": "commonjs" }\n');
  for (const name of ["tree-sitter.js", "tree-sitter.wasm"])
    copyFileSync(join(from, "wasm", name), join(target, name));
  for (const name of ["python", "go", "java", "php", "ruby", "rust"]) {
    const file = `tree-sitter-${name}.wasm`;
    copyFileSync(join(from, "wasm", file), join(target, file));
  }
}

/** Copies GitHub's schema as a compressed file, from a package that contains it in three forms. */
function copySchema() {
  const from = join(root, "node_modules/@octokit/graphql-schema");
  const target = join(github, "dist/schema");
  copyFileSync(join(from, "LICENSE.md"), join(target, "LICENSE-graphql-schema.md"));
  const text = readFileSync(join(from, "schema.graphql"));
  writeFileSync(join(target, "schema.graphql.br"), brotliCompressSync(text));
}

/**
 * The code that reads a tree uses a few lines of core and bundles them, because loading all of core
 * takes as long as reading a small tree. Errors are recognised by their fields, not by their class.
 * @param {string | undefined} reader
 * @returns {Promise<import("rolldown").Plugin>}
 */
async function littleOfCore(reader = "") {
  const reading = await neededModules({ input: reader, platform: "node", external: LIBRARY });
  return {
    name: "little-of-core",
    resolveId(id, importer = "") {
      const isLittle = /^@waybill\/core(?:\/schema)?$/.test(id) && reading.has(importer);
      return isLittle ? join(core, "src/envelope/index.ts") : null;
    },
  };
}

/**
 * Bundles the quick commands into a few CommonJS files: the first, which Node loads, and parts that
 * it loads on demand. The other commands are the ES modules that tsc writes.
 */
async function bundleCommand() {
  const dist = join(cli, "dist");
  removeOldCode(dist, /\.cjs$/);
  const options = {
    format: /** @type {const} */ ("cjs"),
    comments: false,
    dynamicImportInCjs: true,
  };
  /** @type {InputOptions} */
  const input = {
    input: { main: join(cli, "src/main.ts") },
    platform: "node",
    preserveEntrySignatures: "allow-extension",
    external: isUnbundled,
    resolve: { conditionNames: ["@waybill/source", "import", "node", "default"] },
  };
  const scanned = await scan(input);
  const plugins = [threadsInTheirPackage(), knownVersion(), esModulesApart(scanned.esModules)];
  const parts = await Promise.all(
    [...scanned.parts].map(async ([name, entries]) => {
      const modules = await neededModules({ ...input, input: entries, plugins });
      return { name, modules, test: (/** @type {string} */ id) => modules.has(id) };
    }),
  );
  // A module that several parts need is in the smallest one, which the others also load.
  const groups = parts
    .toSorted((one, other) => one.modules.size - other.modules.size)
    .map(({ name, test }) => ({ name, test }));
  const chunks = await generate(
    { ...input, plugins },
    {
      ...options,
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
      codeSplitting: {
        groups: [
          { name: libraryName, debugName: "libraries", test: /node_modules/ },
          ...groups,
          { name: "shared", test: /packages/, minShareCount: 2 },
        ],
        includeDependenciesRecursively: false,
      },
    },
  );
  const [loader] = await generate(
    { input: join(cli, "src/code-cache/index.ts"), platform: "node" },
    { ...options, exports: "named" },
  );
  if (loader === undefined)
    throw new Error("The bundle of the command lacks partLoader, which loads its parts");
  for (const [name, code] of commandFiles(chunks, loader.code)) {
    writeFileSync(join(dist, name), code);
  }
  for (const [file, from] of scanned.files) {
    mkdirSync(dirname(join(cli, file)), { recursive: true });
    copyFileSync(from, join(cli, file));
  }
  const names = new Set(chunks.flatMap(({ libraries }) => libraries));
  writeCache("command-libraries.json", [...names].toSorted());
}

/** Copies the page of `waybill inspect` with its files already compressed. */
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
 * The modules that an entry loads immediately, without unused ones.
 * @param {InputOptions} input
 */
async function neededModules(input) {
  const build = await openBundle(input);
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  const chunks = output.filter((chunk) => chunk.type === "chunk");
  /** @type {(name: string) => string[]} */
  const within = (name) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    return chunk === undefined ? [] : [...chunk.moduleIds, ...chunk.imports.flatMap(within)];
  };
  return new Set(
    chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName }) => within(fileName)),
  );
}

/**
 * One chunk for each library, so that a rarely used library is not loaded with other code.
 * @param {string} id
 */
function libraryName(id) {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? [];
  return name?.replace("@", "").replace("/", "-") ?? null;
}

/**
 * Code that is loaded on demand becomes a part of the command too, except if it needs an ES module:
 * a library that is one, or `import.meta.url`. Such code stays as tsc wrote it.
 * @param {ReadonlySet<string>} esModules
 * @returns {import("rolldown").Plugin}
 */
function esModulesApart(esModules) {
  return {
    name: "es-modules-apart",
    async resolveId(source, importer, { kind }) {
      if (kind !== "dynamic-import" || source.startsWith("node:")) return null;
      const found = await this.resolve(source, importer, { kind, skipSelf: true });
      if (found === null || found.external || !esModules.has(found.id)) return found;
      const src = join(cli, "src");
      if (!found.id.startsWith(src)) return { id: source, external: true };
      const path = relative(src, found.id).replace(/\.ts$/, ".js");
      return { id: `./${path}`, external: true };
    },
  };
}

/**
 * The thread files stay in their package, because the code that starts them looks beside the
 * package's entry.
 * @returns {import("rolldown").Plugin}
 */
function threadsInTheirPackage() {
  const src = join(programs, "src");
  const begin = 'import { pathToFileURL as $url } from "node:url";';
  return {
    name: "threads-in-their-package",
    transform(code, id) {
      if (!id.startsWith(src) || !code.includes("import.meta.url")) return null;
      const entry = '$url(require.resolve("@waybill/code"))';
      return `${begin}\n${code.replaceAll("import.meta.url", entry)}`;
    },
  };
}

/**
 * The version is a constant of the bundle, because reading the manifest takes as long as sending a
 * command to `waybill up`.
 * @returns {import("rolldown").Plugin}
 */
function knownVersion() {
  const manifest = readFileSync(join(cli, "package.json"), "utf8");
  const { version } = /** @type {{ version: string }} */ (JSON.parse(manifest));
  return {
    name: "known-version",
    transform(_code, id) {
      if (id !== join(cli, "src/version.ts")) return null;
      return `export const version = () => ${JSON.stringify(version)};`;
    },
  };
}

/**
 * @typedef {object} Scanned
 * @property {ReadonlySet<string>} esModules Modules that need an ES module, by themselves or by what
 *   they import at once.
 * @property {Map<string, string[]>} parts The modules of each part that an import names.
 * @property {Map<string, string>} files Files that a part reads beside the command, and where they are.
 */

/**
 * @param {InputOptions} input
 * @returns {Promise<Scanned>}
 */
async function scan(input) {
  /** @type {Map<string, readonly string[]>} */
  const imports = new Map();
  /** @type {Set<string>} */
  const esModules = new Set();
  const entries = Object.values(/** @type {Record<string, string>} */ (input.input));
  const parts = new Map([["main", entries]]);
  /** @type {Map<string, string>} */
  const files = new Map();
  /** @type {import("rolldown").Plugin} */
  const scanner = {
    name: "scan",
    async transform(code, id) {
      for (const { groups: { part = "", source = "" } = {} } of code.matchAll(PART)) {
        const found = await this.resolve(source, id);
        if (found === null) throw new Error(`${id} imports ${source}, which is not there`);
        parts.set(part, [...(parts.get(part) ?? []), found.id]);
      }
    },
    moduleParsed({ id, code, importedIds }) {
      imports.set(id, importedIds);
      const named = namedFiles(id, code ?? "");
      for (const [file, from] of named ?? []) files.set(file, from);
      if (named === undefined || importedIds.some((one) => isEsLibrary(one, id))) esModules.add(id);
    },
  };
  const build = await openBundle({ ...input, plugins: [threadsInTheirPackage(), scanner] });
  await build.generate({ format: "esm" });
  await build.close();
  for (let size = -1; size < esModules.size;) {
    size = esModules.size;
    for (const [id, ids] of imports) if (ids.some((one) => esModules.has(one))) esModules.add(id);
  }
  return { esModules, parts, files };
}

/**
 * The files of its package that a module reads, to copy them beside the command; undefined if it
 * uses `import.meta.url` for anything else.
 * @param {string} id
 * @param {string} code
 * @returns {[file: string, from: string][] | undefined}
 */
function namedFiles(id, code) {
  const uses = code.match(/\bimport\.meta\b/g)?.length ?? 0;
  const named = [...code.matchAll(NAMED_FILE)].map(({ groups }) => groups?.["file"] ?? "");
  const folder = dirname(dirname(id));
  const isBeside = basename(dirname(id)) === "src";
  if (named.length !== uses || (uses > 0 && !isBeside)) return undefined;
  if (folder === cli) return [];
  // Another file, such as package.json, would have the same path as the command's own.
  if (named.some((file) => !file.startsWith("generated/"))) return undefined;
  return named.map((file) => [file, join(folder, file)]);
}

/**
 * @param {string} id
 * @param {string} importer
 */
function isEsLibrary(id, importer) {
  if (!UNBUNDLED.test(id) || isBuiltin(id)) return false;
  try {
    const file = createRequire(importer).resolve(id);
    if (/\.[cm]js$/.test(file)) return file.endsWith(".mjs");
    const manifest = readFileSync(nearestManifest(file), "utf8");
    return /** @type {{ type?: string }} */ (JSON.parse(manifest)).type === "module";
  } catch (error) {
    // The library has no entry for `require`. Any other error means that it is not installed.
    if (Reflect.get(Object(error), "code") === "ERR_PACKAGE_PATH_NOT_EXPORTED") return true;
    throw error;
  }
}

/** @param {string} file */
function nearestManifest(file) {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return join(folder, "package.json");
}

/** @param {InputOptions} input */
function openBundle(input) {
  // Rolldown 1.2.15 panics when it inlines a constant whose module is in no chunk.
  const optimization = { inlineConst: false };
  const experimental = { attachDebugInfo: /** @type {const} */ ("none") };
  // The parts decide which code is loaded on demand, not the imports alone.
  const checks = { ineffectiveDynamicImport: false };
  return rolldown({ ...input, logLevel: "warn", optimization, experimental, checks });
}

/**
 * @param {InputOptions} input
 * @param {OutputOptions} output
 */
async function generate(input, output) {
  const build = await openBundle(input);
  const { output: chunks } = await build.generate(output);
  await build.close();
  return chunks.flatMap((chunk) => {
    if (chunk.type !== "chunk") return [];
    const { fileName: name, code, moduleIds, imports, dynamicImports } = chunk;
    const libraries = [...imports, ...dynamicImports].filter(isInstalledLibrary).map(packageName);
    return [{ name, code, libraries, notices: noticesFor(moduleIds) }];
  });
}

/** @param {string} id */
function isInstalledLibrary(id) {
  return UNBUNDLED.test(id) && !isBuiltin(id) && !id.endsWith(".cjs");
}

/** @param {string} id */
function packageName(id) {
  return id.split("/", id.startsWith("@") ? 2 : 1).join("/");
}

/**
 * @param {InputOptions} input
 * @param {OutputOptions} output
 */
async function writeBundle(input, output) {
  const build = await openBundle(input);
  await build.write({
    ...output,
    comments: false,
    chunkFileNames: output.chunkFileNames ?? "[name].js",
    postBanner: ({ moduleIds }) => noticesFor(moduleIds),
  });
  await build.close();
}

/**
 * Removes files of an earlier build, which would otherwise be packed with the new ones.
 * @param {string} dist
 * @param {RegExp} code
 */
function removeOldCode(dist, code) {
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (code.test(name)) rmSync(join(dist, name));
  }
}

/**
 * The licence notices of all libraries in a file.
 * @param {string[]} moduleIds
 */
function noticesFor(moduleIds) {
  const folders = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  for (const folder of folders) bundledFolders.add(folder);
  return [...new Set(folders)]
    .toSorted()
    .map((folder) => notice(basename(folder), licenceIn(folder)))
    .join("\n");
}

/** Writes the list of bundled libraries, for the list of licences. */
function writeBundled() {
  const copied = ["@vscode/tree-sitter-wasm", "@octokit/graphql-schema"];
  for (const name of copied) bundledFolders.add(join(root, "node_modules", name));
  const libraries = [...bundledFolders].toSorted().map((folder) => {
    const { name, version, license } = /** @type {Record<string, string>} */ (
      JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    );
    return { name, version, license, isCopied: copied.includes(String(name)) };
  });
  writeCache("bundled.json", libraries);
}

/** @param {string} name @param {unknown} value */
function writeCache(name, value) {
  const cache = join(root, "node_modules/.cache/waybill");
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, name), `${JSON.stringify(value, null, 2)}\n`);
}

/** @param {string} folder */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8");
  const { license } = /** @type {{ license?: string }} */ (
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  );
  if (license === undefined) throw new Error(`${folder} has no licence`);
  return license;
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
