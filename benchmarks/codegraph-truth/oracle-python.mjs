// @ts-check
// Asks pyright about a tree of Python files.
import { spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { newerProgram } from "../../scripts/node-from-npm.mjs";

/** @typedef {import("./sample.mjs").Sampled} Sampled */
/** @typedef {import("./oracle-typescript.mjs").Truth} Truth */
/**
 * @typedef {{ id?: number, method?: string, result?: unknown, error?: { message: string },
 *   params?: { message?: string, items?: unknown[], diagnostics?: { severity: number }[] } }} Message
 */
/** @typedef {{ uri: string, range: { start: { line: number, character: number } } }} Location */

const VERSION = "1.1.414";
const REQUEST_MS = 120_000;
const FOUND = /[Ff]ound \d+ source|No source files/;

/**
 * @param {string} root @param {readonly string[]} paths @param {readonly Sampled[]} symbols
 * @returns {Promise<{ truths: Truth[], errors: number, isChecked: (path: string) => boolean, hasFamilies: boolean }>}
 */
export async function pythonOracle(root, paths, symbols) {
  const entry = "pyright/langserver.index.js";
  const suite = newerProgram(`pyright-${VERSION}`, `pyright@${VERSION}`, entry);
  if (suite.reason !== undefined) throw new Error(suite.reason);
  // A copy of the tree with our own settings, because the original ones may limit pyright to a part
  // of it.
  const project = realpathSync(mkdtempSync(join(tmpdir(), "waybill-pyright-")));
  for (const path of paths) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    copyFileSync(join(root, path), join(project, path));
  }
  const extraPaths = ["src", "lib", "python"];
  writeFileSync(join(project, "pyrightconfig.json"), JSON.stringify({ extraPaths }));
  const server = new LanguageServer(suite.runtime, suite.program, project);
  try {
    await server.start();
    /** @type {Truth[]} */
    const truths = [];
    for (const symbol of symbols) truths.push(await referencesTo(server, project, symbol));
    const { errors } = server;
    // Last, because it opens further files.
    for (const [place, symbol] of symbols.entries()) {
      const truth = truths[place];
      if (!truth || "error" in truth) continue;
      truths[place] = { places: await withoutTwin(server, project, symbol, truth.places) };
    }
    const known = new Set(paths);
    const isChecked = (/** @type {string} */ path) => known.has(path);
    return { truths, errors, isChecked, hasFamilies: false };
  } finally {
    server.stop();
    rmSync(project, { recursive: true, force: true });
  }
}

/** @param {LanguageServer} server @param {string} root @param {Sampled} symbol @returns {Promise<Truth>} */
async function referencesTo(server, root, { path, line, column }) {
  const uri = pathToFileURL(join(root, path)).href;
  server.open(uri, readFileSync(join(root, path), "utf8"));
  try {
    const found = /** @type {Location[] | null} */ (
      await server.request("textDocument/references", {
        textDocument: { uri },
        position: { line: line - 1, character: column - 1 },
        context: { includeDeclaration: false },
      })
    );
    const places = (found ?? []).map((each) => ({
      path: relative(root, fileURLToPath(each.uri)),
      line: each.range.start.line + 1,
      column: each.range.start.character + 1,
    }));
    const uses = places.filter(
      (each) => !isOwn(each, { path, line, column }) && !isDeclared(root, each),
    );
    return { places: uses };
  } catch (error) {
    return { error: String(error) };
  }
}

/**
 * A file may import a name in one branch and declare it in the other. Pyright then also lists the
 * uses of what the import means. A use counts only if its definition is in the file of the symbol.
 * @param {LanguageServer} server @param {string} root @param {Place} own @param {Place[]} places
 */
async function withoutTwin(server, root, own, places) {
  const isHere = (/** @type {string[]} */ paths) => paths.length === 0 || paths.includes(own.path);
  const declared = await definitionPaths(server, root, own);
  if (declared.every((path) => path === own.path)) return places;
  const kept = [];
  for (const place of places) {
    if (isHere(await definitionPaths(server, root, place))) kept.push(place);
  }
  return kept;
}

/** @param {LanguageServer} server @param {string} root @param {Place} place */
async function definitionPaths(server, root, { path, line, column }) {
  const uri = pathToFileURL(join(root, path)).href;
  server.open(uri, readFileSync(join(root, path), "utf8"));
  const paths = await definedAt(server, root, uri, line - 1, column - 1);
  return paths.length > 0 ? paths : importedPaths(server, root, { path, line, column });
}

let probes = 0;

/**
 * A string in `__all__` has no definition of its own. It means what another file would import.
 * @param {LanguageServer} server @param {string} root @param {Place} place
 */
async function importedPaths(server, root, { path, line, column }) {
  const text = readFileSync(join(root, path), "utf8").split("\n")[line - 1] ?? "";
  const [name] = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(text.slice(column - 1)) ?? [];
  if (name === undefined) return [];
  const module = basename(path, extname(path)).replace("__init__", "");
  const start = `from .${module} import `;
  const probe = join(dirname(path), `waybill_probe_${probes++}.py`);
  const uri = pathToFileURL(join(root, probe)).href;
  server.open(uri, `${start}${name}\n`);
  return definedAt(server, root, uri, 0, start.length);
}

/**
 * @param {LanguageServer} server @param {string} root @param {string} uri
 * @param {number} line from 0 @param {number} character
 */
async function definedAt(server, root, uri, line, character) {
  const found = /** @type {Location[] | null} */ (
    await server.request("textDocument/definition", {
      textDocument: { uri },
      position: { line, character },
    })
  );
  return (found ?? []).map((each) => relative(root, fileURLToPath(each.uri)));
}

const DECLARING = /(?:\bas\s+|^\s*(?:async\s+)?(?:def|class)\s+)$/;

/**
 * Whether a position is a declaration, an overload or a new name of an import. Pyright lists these
 * among the references.
 * @param {string} root @param {Place} place
 */
function isDeclared(root, { path, line, column }) {
  const text = readFileSync(join(root, path), "utf8").split("\n")[line - 1] ?? "";
  return DECLARING.test(text.slice(0, column - 1));
}

/** @typedef {{ path: string, line: number, column: number }} Place */

/** @param {Place} place @param {Place} own */
function isOwn(place, own) {
  return place.path === own.path && place.line === own.line && place.column === own.column;
}

/** A language server that communicates over stdio. */
class LanguageServer {
  errors = 0;
  #buffer = Buffer.alloc(0);
  #next = 1;
  /** @type {Set<string>} */
  #opened = new Set();
  /** @type {Map<number, { resolve: (value: unknown) => void, reject: (error: Error) => void }>} */
  #pending = new Map();
  /** @type {() => void} */
  #found = () => {};

  /** @param {string} runtime @param {string} program @param {string} root */
  constructor(runtime, program, root) {
    this.root = root;
    this.child = spawn(runtime, ["--max-old-space-size=6144", program, "--stdio"], {
      cwd: root,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.child.stdout.on("data", (/** @type {Buffer} */ data) => this.#take(data));
  }

  async start() {
    const rootUri = pathToFileURL(this.root).href;
    /** @type {Promise<void>} */
    const found = new Promise((resolve) => {
      this.#found = resolve;
    });
    await this.request("initialize", {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "tree" }],
      capabilities: { workspace: { configuration: true } },
    });
    this.#send({ method: "initialized", params: {} });
    await found;
  }

  /** @param {string} method @param {unknown} params @returns {Promise<unknown>} */
  request(method, params) {
    const id = this.#next++;
    /** @type {Promise<unknown>} */
    const reply = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      setTimeout(() => reject(new Error("no answer in time")), REQUEST_MS).unref();
    });
    this.#send({ id, method, params });
    return reply;
  }

  /** @param {string} uri @param {string} text */
  open(uri, text) {
    if (this.#opened.has(uri)) return;
    this.#opened.add(uri);
    const textDocument = { uri, languageId: "python", version: 1, text };
    this.#send({ method: "textDocument/didOpen", params: { textDocument } });
  }

  stop() {
    this.child.kill();
  }

  /** @param {object} message */
  #send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** @param {Buffer} data */
  #take(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const head = this.#buffer.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#buffer.toString("latin1", 0, head))?.[1],
      );
      if (head < 0 || this.#buffer.length < head + 4 + length) return;
      const body = this.#buffer.toString("utf8", head + 4, head + 4 + length);
      this.#buffer = this.#buffer.subarray(head + 4 + length);
      this.#handle(/** @type {Message} */ (JSON.parse(body)));
    }
  }

  /** @param {Message} message */
  #handle({ id, method, params, result, error }) {
    if (method === undefined && id !== undefined) {
      const waiting = this.#pending.get(id);
      this.#pending.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
      return;
    }
    if (method === "window/logMessage" && FOUND.test(params?.message ?? "")) this.#found();
    for (const { severity } of params?.diagnostics ?? []) if (severity === 1) this.errors += 1;
    if (id === undefined) return;
    const isAsked = method === "workspace/configuration";
    this.#send({ id, result: isAsked ? (params?.items ?? []).map(() => ({})) : null });
  }
}
