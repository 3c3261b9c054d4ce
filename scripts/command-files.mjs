// @ts-check
import { createHash } from "node:crypto";
import { minifySync } from "rolldown/utils";

/** @typedef {{ name: string, code: string, notices: string }} Chunk */

const REQUIRE = /^(?:let|const) (\w+) = (require\("(?:node:|\.\/)[^"]+"\));$/gm;

/**
 * Delays loading of each part and each Node module until its first use: Node's `https` alone takes
 * a tenth of an empty program's start time. A module that is used as a whole is loaded immediately.
 * @param {string} code
 */
function requireLazily(code) {
  return [...code.matchAll(REQUIRE)].reduce(
    (text, [line, name = "", call = ""]) => loadedOnUse(text, line, name, call),
    code,
  );
}

/**
 * @param {string} code
 * @param {string} line
 * @param {string} name
 * @param {string} call
 */
function loadedOnUse(code, line, name, call) {
  // Matches the name, except as a member of another object; `...` may come before it.
  const use = String.raw`(?<![\w$]|(?<!\.\.)\.)${name}`;
  const rest = code.replace(line, () => "");
  const uses = rest.match(new RegExp(String.raw`${use}\b`, "g"))?.length ?? 0;
  const members = rest.match(new RegExp(String.raw`${use}\.`, "g"))?.length ?? 0;
  if (uses !== members) return code;
  // Wrapped in brackets, because `new a().B()` would call `new a()`.
  return code
    .replace(line, () => `let $${name}; const $load_${name} = () => $${name} ??= ${call};`)
    .replaceAll(new RegExp(String.raw`${use}\.`, "g"), () => `($load_${name}()).`);
}

/**
 * Escapes non-ASCII characters: V8 stores ASCII text in half the space, and Node reads it fastest.
 * @param {string} code
 */
function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * @param {string} name
 * @param {string} code
 */
function minified(name, code) {
  const { code: text, errors } = minifySync(name, code, { codegen: { removeWhitespace: true } });
  const [error] = errors;
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return inAscii(text);
}

/**
 * A part is one function, which the first file calls; see packages/cli/src/code-cache.
 * @param {Chunk} chunk
 */
function partFile({ name, code, notices }) {
  const body = requireLazily(code).replaceAll(/\bimport\(/g, "importModule(");
  // Passed to a call, because the minifier would remove an unused function.
  const text = minified(name, `$(function(exports,require,__filename,importModule){${body}\n})`);
  return /** @type {const} */ ([name, `${notices}\n${text.slice(1)}\n`]);
}

/**
 * The first file, which Node loads. It loads the others with its own loader.
 * @param {Chunk} chunk
 * @param {string} loader
 * @param {string} build
 */
function mainFile({ code, notices }, loader, build) {
  const [, hashbang = "", rest = ""] = /^(#![^\n]*\n)?([^]*)$/.exec(code) ?? [];
  const body = requireLazily(rest).replaceAll(/\brequire\(("\.\/)/g, "$part($1");
  // Created with the first part: a command that `waybill up` runs needs none.
  const begin = `let $loader; const $part = (name) => ($loader ??=
    (() => { const exports = {}; ${loader}; return exports; })().partLoader({
      env: process.env, folder: __dirname, build: "${build}", main: exports,
      load: require, importModule: (name) => import(name),
    }))(name);`;
  return `${hashbang}${notices}\n${minified("main.cjs", `${begin}\n${body}`)}\n`;
}

const RUNTIME = "rolldown-runtime.cjs";

/**
 * Copies the bundler's few helper lines into every part that needs them, because loading one more
 * file is slower.
 * @param {readonly Chunk[]} chunks
 * @returns {Chunk[]}
 */
function withRuntime(chunks) {
  const { code = "" } = chunks.find(({ name }) => name === RUNTIME) ?? {};
  const inline = `const exports = {}; ${code}; return exports;`;
  return chunks
    .filter(({ name }) => name !== RUNTIME)
    .map((chunk) => {
      const call = `require("./${RUNTIME}")`;
      return { ...chunk, code: chunk.code.replaceAll(call, () => `(() => { ${inline} })()`) };
    });
}

/**
 * The files of the built command by their names.
 * @param {readonly Chunk[]} given
 * @param {string} loader
 * @returns {ReadonlyMap<string, string>}
 */
export function commandFiles(given, loader) {
  const chunks = withRuntime(given);
  /** @type {Map<string, string>} */
  const files = new Map(chunks.filter(({ name }) => name !== "main.cjs").map(partFile));
  const hash = createHash("sha256").update([...files.values()].join("\n"));
  const main = chunks.find(({ name }) => name === "main.cjs");
  if (main === undefined) throw new Error("The command has no main.cjs");
  return files.set("main.cjs", mainFile(main, loader, hash.digest("hex").slice(0, 16)));
}
