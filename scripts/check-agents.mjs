// @ts-check
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { newerProgram } from "./node-from-npm.mjs";
import { root } from "./run.mjs";

// Sets up every agent whose command is on npm, as a user would, and asks the real command whether
// it sees the server. "npm run agents" first installs these commands into a cache; "-- codex"
// checks only one.

/**
 * @typedef {object} Agent
 * @property {string} suite the package, with its version
 * @property {string} program
 * @property {string[]} list the words that make it show its servers
 * @property {RegExp} user what it says about a server for the user
 * @property {RegExp} [project] what it says about one in a folder that is trusted
 * @property {(home: string, folder: string) => void} [trust] says that a folder is trusted
 */

/** @type {Record<string, Agent>} */
const agents = {
  "claude-code": {
    suite: "@anthropic-ai/claude-code@2.1.326",
    program: "claude",
    list: ["mcp", "list"],
    user: /waybill.*Connected/,
    project: /waybill.*(?:Connected|Pending approval)/,
  },
  codex: {
    suite: "@openai/codex@0.169.0",
    program: "codex",
    list: ["mcp", "list"],
    user: /waybill .*enabled/,
    project: /waybill .*enabled/,
    trust: (home, folder) => {
      const file = join(home, ".codex/config.toml");
      put(file, `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`);
    },
  },
  "gemini-cli": {
    suite: "@google/gemini-cli@0.61.0",
    program: "gemini",
    list: ["mcp", "list"],
    user: /waybill.*Connected/,
    project: /waybill.*Connected/,
    trust: (home, folder) => {
      put(join(home, ".gemini/trustedFolders.json"), JSON.stringify({ [folder]: "TRUST_FOLDER" }));
    },
  },
  opencode: {
    suite: "opencode-ai@1.18.33",
    program: "opencode",
    list: ["mcp", "list"],
    user: /waybill.*connected/,
    project: /waybill.*connected/,
  },
  "copilot-cli": {
    suite: "@github/copilot@1.0.102",
    program: "copilot",
    list: ["mcp", "get", "waybill"],
    user: /Status: Enabled[^]*serve mcp --brief/,
    project: /Status: Enabled[^]*serve mcp --brief/,
    trust: (home, folder) => {
      put(join(home, ".copilot/config.json"), JSON.stringify({ trusted_folders: [folder] }));
    },
  },
  // Cline lists servers only in its full-screen view. Removing a server shows that Cline has read
  // it.
  cline: {
    suite: "cline@3.0.65",
    program: "cline",
    list: ["mcp", "uninstall", "waybill", "--json"],
    user: /"uninstalled"/,
  },
};

const MAX_MS = 180_000;

const [wanted] = process.argv.slice(2);
const names = wanted === undefined ? Object.keys(agents) : [wanted];
const rows = names.flatMap(checkAgent);
for (const row of rows) console.log(row.join("\t"));
process.exitCode = rows.every(([, , verdict]) => verdict === "ok") ? 0 : 1;

/** @param {string} name @returns {string[][]} */
function checkAgent(name) {
  const agent = agents[name];
  if (agent === undefined)
    return [[name, "", `npm has no command for it: use ${Object.keys(agents).join(", ")}`]];
  const found = newerProgram(`agent-${name}`, agent.suite, join(".bin", agent.program));
  if (found.reason !== undefined) return [[name, "", found.reason]];
  const scopes = agent.project === undefined ? ["user"] : ["user", "project"];
  return scopes.map((scope) => [name, scope, judgeAgent(name, agent, found, scope)]);
}

/**
 * @param {string} name @param {Agent} agent
 * @param {import("./node-from-npm.mjs").NewerProgram} found @param {string} scope
 */
function judgeAgent(name, agent, found, scope) {
  const folder = mkdtempSync(join(tmpdir(), "waybill-agent-"));
  try {
    const home = join(folder, "home");
    const project = join(folder, "project");
    mkdirSync(join(project, ".git"), { recursive: true });
    agent.trust?.(home, project);
    const flags = scope === "user" ? ["--user"] : [];
    const waybill = join(root, "packages/cli/bin/waybill.cjs");
    const env = environment(home, dirname(found.runtime));
    const setup = [waybill, "setup", "--agent", name, ...flags, "--yes"];
    const written = call(process.execPath, setup, project, env);
    if (!written.includes("done")) return written;
    const seen = call(found.program, agent.list, project, env);
    const expected = scope === "user" ? agent.user : agent.project;
    return expected?.test(seen) === true ? "ok" : `it says: ${seen}`;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {string} home @param {string} runtimeFolder @returns {NodeJS.ProcessEnv} */
function environment(home, runtimeFolder) {
  mkdirSync(home, { recursive: true });
  const path = [runtimeFolder, process.env.PATH].join(delimiter);
  return { PATH: path, HOME: home, CI: "true", NO_COLOR: "1" };
}

/** @param {string} program @param {string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env */
function call(program, args, cwd, env) {
  const options = { cwd, env, encoding: /** @type {const} */ ("utf8"), timeout: MAX_MS };
  const { stdout, stderr, error } = spawnSync(program, args, options);
  return `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim();
}

/** @param {string} file @param {string} text */
function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) writeFileSync(file, text);
}
