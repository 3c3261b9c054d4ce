// @ts-check
// npm run inspector: lists and calls the tools of `waybill serve mcp` with the command of the MCP
// Inspector.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newerProgram } from "./node-from-npm.mjs";
import { root } from "./run.mjs";

const entry = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const inspector = newerProgram("inspector-2.12.0", "@modelcontextprotocol/inspector@2.12.0", entry);
const main = join(root, "packages/cli/src/main.ts");
const server = [process.execPath, "-C", "@waybill/source", "--import", "tsx", main, "serve", "mcp"];
const home = mkdtempSync(join(tmpdir(), "waybill-inspector-"));

const checks = [
  {
    name: "lists the tools, and finds nothing wrong with their schemas",
    words: ["--method", "tools/list", "--strict"],
    has: ['"name": "execute"', '"name": "chain"', '"name": "graph_digest"'],
  },
  {
    name: "calls a tool",
    words: ["--method", "tools/call", "--tool-name", "explain", ...callId("result.read")],
    has: ["result.read (read)"],
  },
  {
    name: "calls a tool of the code graph",
    words: ["--method", "tools/call", "--tool-name", "graph_search", "--tool-arg", "query=Waybill"],
    has: ['\\"success\\":true'],
  },
];

try {
  process.exitCode = checks.map(isFine).every(Boolean) ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** @param {string} id */
function callId(id) {
  return ["--tool-arg", `capability_id=${id}`];
}

/** @param {{ name: string, words: string[], has: string[] }} check */
function isFine({ name, words, has }) {
  const args = [inspector.program, "--cli", "--cwd", root, ...words, "--"];
  const { status, stdout, stderr } = spawnSync(
    inspector.runtime,
    [...args, ...server, "--tools", "graph.*"],
    { encoding: "utf8", env: { ...process.env, HOME: home }, timeout: 120_000 },
  );
  const isRight = status === 0 && has.every((text) => stdout.includes(text));
  console.log(`${isRight ? "✓" : "✗"} ${name}`);
  if (!isRight) console.error(stdout.slice(0, 2_000), stderr.slice(0, 2_000));
  return isRight;
}
