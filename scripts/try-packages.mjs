// @ts-check
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  commandNames,
  documentedLines,
  documentedServers,
  missingCommands,
  writeDocumentedFiles,
} from "./documented-commands.mjs";
import { MAX_MEGABYTES, folderMegabytes } from "./installed-size.mjs";
import { majors, nodeFromNpm } from "./node-from-npm.mjs";
import { packAll } from "./pack.mjs";
import { root } from "./run.mjs";

// Installs the packed packages into an empty project and uses them as documented. "npm run
// try-packages" uses this Node; "-- 20 22 24" uses other versions, which it installs into a cache.
// Run "npm run build" first.

/** @typedef {{ what: string, isGood: boolean, detail: string }} Row */
/** @typedef {{ folder: string, node: string, env: NodeJS.ProcessEnv }} Project */

/**
 * A time limit that only a hanging process reaches: a busy machine may need minutes for an install.
 */
const MAX_MS = 1_200_000;
/** A successful row takes one line. */
const MAX_DETAIL = 80;
const MAX_LINE = 60;
/** The limit from an empty folder to the first answer, including the install. */
const MAX_FIRST_ANSWER_SECONDS = 15;
const MAX_DEMO_CPU_SECONDS = 1.2;

/** The compiler options of a strict project. */
const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "nodenext",
  types: [],
  strict: true,
  // Declarations that use Node's types need @types/node, which an empty project does not have.
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  outDir: "out",
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2).map(Number);
  const chosen = majors.filter((major) => wanted.includes(major));
  await tryPackages(chosen);
}

/**
 * Prints one part of the table. A failed row also sets the exit code.
 * @param {string} title @param {readonly Row[]} rows
 */
export function printRows(title, rows) {
  console.log(`\n${title}`);
  for (const { what, isGood, detail } of rows) {
    const shown = isGood ? detail.split("\n", 1)[0]?.slice(0, MAX_DETAIL) : detail.slice(-300);
    console.log(`${isGood ? "ok    " : "FAILED"}  ${what.padEnd(MAX_LINE)}  ${shown}`.trimEnd());
  }
  const good = rows.filter(({ isGood }) => isGood).length;
  console.log(`${good} of ${rows.length} rows are good.`);
  if (good < rows.length) process.exitCode = 1;
}

/**
 * Packs once, and tries the packages with each version of Node (default: this one).
 * @param {readonly import("./node-from-npm.mjs").Major[]} chosen
 */
export async function tryPackages(chosen) {
  const folder = mkdtempSync(join(tmpdir(), "waybill-packages-"));
  try {
    const tarballs = await packAll(join(folder, "tarballs"));
    const nodes = chosen.map((major) => nodeFromNpm(major).runtime);
    for (const node of nodes.length > 0 ? nodes : [process.execPath]) {
      const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
      const project = makeProject(join(folder, version), node);
      printRows(`From tarballs, with Node ${version}`, await projectRows(project, tarballs));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {Project} project @param {readonly string[]} tarballs @returns {Promise<Row[]>} */
async function projectRows(project, tarballs) {
  const words = ["install", "--no-audit", "--no-fund", "--engine-strict", ...tarballs];
  const installed = timedCall(project, "npm", words);
  const install = tableRow("npm install", installed.code === 0, timeText(installed));
  if (installed.code !== 0) return [{ ...install, detail: installed.output }];
  return [
    install,
    ...firstAnswer(project, installed),
    installedSize(project),
    ...importedEntries(project),
    ...(await snippetRows(project)),
    ...helpRows(project),
    ...(await commandRows(project)),
    ...(await serverRows(project)),
  ];
}

/** @param {string} folder @param {string} node @returns {Project} */
export function makeProject(folder, node) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const path = [dirname(node), join(folder, "node_modules/.bin"), process.env.PATH].join(delimiter);
  return { folder, node, env: { ...npmSettings(), PATH: path, HOME: home, NO_COLOR: "1" } };
}

/**
 * Passes npm's registry and cache on, because the test uses another home folder and another Node.
 */
function npmSettings() {
  const names = ["userconfig", "globalconfig", "cache"];
  /** @type {Record<string, string>} */
  const settings = {};
  for (const name of names) {
    const value = execFileSync("npm", ["config", "get", name], { encoding: "utf8" });
    settings[`npm_config_${name}`] = value.trim();
  }
  return settings;
}

/** @param {Project} project @param {string} program @param {readonly string[]} args */
export function call({ folder, env }, program, args) {
  const options = { cwd: folder, env, encoding: /** @type {const} */ ("utf8"), timeout: MAX_MS };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  return { code: status ?? 1, stdout, output: `${stdout}${stderr}${error?.message ?? ""}`.trim() };
}

/** @typedef {{ code: number, output: string, seconds: number, cpu: number }} Timed */

/**
 * Also measures processor time, which depends less on other work of the machine. It is in the
 * second line of the shell's "times".
 * @param {Project} project @param {string} program @param {readonly string[]} args @returns {Timed}
 */
export function timedCall(project, program, args) {
  const start = performance.now();
  const script = '"$@" > output.txt 2>&1; code=$?; times; exit $code';
  const { code, stdout } = call(project, "sh", ["-c", script, "sh", program, ...args]);
  const seconds = (performance.now() - start) / 1000;
  const spent =
    stdout
      .trim()
      .split("\n")
      .at(-1)
      ?.matchAll(/(\d+)m([\d.]+)s/g) ?? [];
  let cpu = 0;
  for (const [, minutes, rest] of spent) cpu += Number(minutes) * 60 + Number(rest);
  const output = readFileSync(join(project.folder, "output.txt"), "utf8");
  return { code, output, seconds, cpu };
}

/** @param {{ seconds: number, cpu: number }} time */
export function timeText({ seconds, cpu }) {
  const load = Math.round(loadavg()[0] ?? 0);
  return `${seconds.toFixed(1)} s (${cpu.toFixed(1)} s of the processor, load ${load})`;
}

/** @param {string} what @param {boolean} isGood @param {string} [detail] @returns {Row} */
export function tableRow(what, isGood, detail = "") {
  return { what, isGood, detail };
}

/** @param {Project} project @param {Timed} installed @returns {Row[]} */
function firstAnswer(project, installed) {
  const demo = timedCall(project, "waybill", ["demo"]);
  const both = { seconds: installed.seconds + demo.seconds, cpu: installed.cpu + demo.cpu };
  const isAnswered = demo.code === 0 && demo.output.includes("nameWithOwner");
  return [
    tableRow(
      "from an empty folder to the first answer",
      isAnswered && both.seconds <= MAX_FIRST_ANSWER_SECONDS,
      isAnswered ? `${timeText(both)}, limit ${MAX_FIRST_ANSWER_SECONDS} s` : demo.output,
    ),
    tableRow(
      "waybill demo, time of the processor",
      demo.cpu <= MAX_DEMO_CPU_SECONDS,
      `${demo.cpu.toFixed(2)} s, limit ${MAX_DEMO_CPU_SECONDS} s`,
    ),
  ];
}

/** @param {Project} project @returns {Row} */
function installedSize({ folder }) {
  const megabytes = folderMegabytes(join(folder, "node_modules"));
  return tableRow(
    "size on disk",
    megabytes <= MAX_MEGABYTES,
    `${megabytes.toFixed(1)} MB, limit ${MAX_MEGABYTES} MB`,
  );
}

/** @param {Project} project @returns {Row[]} */
function importedEntries(project) {
  const modules = join(project.folder, "node_modules");
  const names = readdirSync(join(modules, "@waybill")).map((name) => `@waybill/${name}`);
  const entries = [...names, "waybill"].flatMap((name) => {
    const { exports } = /** @type {{ exports: Record<string, unknown> }} */ (
      JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"))
    );
    return Object.keys(exports)
      .filter((key) => !key.includes("*") && !/\.\w+$/.test(key))
      .map((key) => name + key.slice(1));
  });
  const imports = call(project, project.node, [
    "--input-type=module",
    "-e",
    entries.map((entry) => `await import(${JSON.stringify(entry)});`).join(""),
  ]);
  return [
    tableRow(
      `import of ${entries.length} entries`,
      imports.code === 0,
      imports.output.slice(0, 300),
    ),
  ];
}

/**
 * The code blocks of the design documents, compiled in strict mode and run in the project.
 * @param {Project} project
 * @returns {Promise<Row[]>}
 */
async function snippetRows(project) {
  const folder = join(project.folder, "snippets");
  cpSync(join(root, "test/seeds/snippets"), folder, { recursive: true });
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const { code, output } = call(project, join(root, "node_modules/.bin/tsc"), ["-p", folder]);
  const compiled = tableRow("code blocks of the designs compile", code === 0, output.slice(0, 300));
  return compiled.isGood ? [compiled, await snippetRun(project)] : [compiled];
}

/** @param {Project} project @returns {Promise<Row>} */
function snippetRun(project) {
  const program =
    'const { runAll } = await import("./snippets/out/run-all.js"); console.log(JSON.stringify(await runAll()));';
  const expected = readFileSync(join(project.folder, "snippets/expected.json"), "utf8");
  return withEmulator(project, (beside) => {
    const { stdout, output } = call(beside, project.node, ["--input-type=module", "-e", program]);
    const isGood = stdout.trim() === JSON.stringify(JSON.parse(expected));
    return tableRow("code blocks of the designs do what they say", isGood, isGood ? "" : output);
  });
}

/** Every command shows its help, and is used below. @param {Project} project @returns {Row[]} */
function helpRows(project) {
  const { stdout } = call(project, "waybill", ["help"]);
  const missing = missingCommands(stdout);
  const all = commandNames(stdout).map((name) => {
    const { code, output } = call(project, "waybill", [...name.split(" "), "--help"]);
    return tableRow(`waybill ${name} --help`, code === 0, code === 0 ? "" : output);
  });
  return [...all, tableRow("every command is tried", missing.length === 0, missing.join(", "))];
}

/** @param {Project} project @returns {Promise<Row[]>} */
function commandRows(project) {
  writeDocumentedFiles(project.folder);
  return withEmulator(project, (beside) =>
    documentedLines.map((line) => {
      const { code, output } = call(beside, "sh", ["-c", line]);
      return tableRow(shortLine(line), code === 0, code === 0 ? "" : output);
    }),
  );
}

/** @param {string} line */
function shortLine(line) {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}

/** @param {Project} project @returns {Promise<Row[]>} */
async function serverRows(project) {
  const rows = [];
  for (const server of documentedServers) rows.push(await serverRow(project, server));
  return rows;
}

/**
 * Starts a server in a process group of its own, so that it ends with everything it started.
 * @param {Project} project
 * @param {(typeof documentedServers)[number]} server
 * @returns {Promise<Row>}
 */
async function serverRow({ folder, env }, { line, input = "", shows }) {
  const child = spawn("sh", ["-c", `exec 2>&1; ${line}`], { cwd: folder, env, detached: true });
  const ended = once(child, "close");
  try {
    if (input !== "") child.stdin.write(`${input}\n`);
    const [seen] = await firstMatch(child.stdout, shows);
    return tableRow(shortLine(line), true, seen);
  } catch (error) {
    return tableRow(shortLine(line), false, String(error));
  } finally {
    // A process writes to its cache when it ends, so the folder is deleted only after that.
    killGroup(child.pid);
    await ended;
  }
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGTERM");
  } catch {
    // All of its processes have ended.
  }
}

/**
 * @template T
 * @param {Project} project
 * @param {(beside: Project) => T} use
 * @returns {Promise<T>}
 */
async function withEmulator(project, use) {
  const child = spawn("waybill", ["serve", "github-emulator"], {
    cwd: project.folder,
    env: project.env,
  });
  const ended = once(child, "close");
  try {
    const [line] = await firstMatch(child.stdout, /^\{.*\}$/m);
    const { url, token } = /** @type {Record<string, string>} */ (JSON.parse(line));
    return use({ ...project, env: { ...project.env, WAYBILL_GITHUB: url, GITHUB_TOKEN: token } });
  } finally {
    child.kill();
    await ended;
  }
}

/** @param {import("node:stream").Readable} stream @param {RegExp} pattern @returns {Promise<RegExpExecArray>} */
function firstMatch(stream, pattern) {
  let text = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`nothing like ${pattern} in: ${text}`)),
      MAX_MS,
    );
    stream.once("end", () => {
      clearTimeout(timer);
      reject(new Error(`it ended after: ${text}`));
    });
    stream.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
}
