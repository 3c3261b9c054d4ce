import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { loadConfig } from "@waybill/state";
import type { McpSourceConfig } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptyWorld } from "../fixtures/sources.ts";
import type { World } from "../fixtures/world.ts";
import type { Io } from "../io.ts";
import { readSource } from "./read-source.ts";

function getIo({ env, project }: World): Io {
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  return { argv: [], ...streams, env, cwd: project, isTTY: false };
}

/** A program that writes its process id to a file and then prints nothing. */
function silent(note: string): McpSourceConfig {
  const script = `require("node:fs").writeFileSync(${JSON.stringify(note)}, String(process.pid)); setInterval(() => {}, 1000)`;
  return { kind: "mcp", command: process.execPath, args: ["-e", script] };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("a silent MCP server", () => {
  it("the read of a silent MCP server stops at the timeout and ends the server's process", async () => {
    const world = await emptyWorld(onTestFinished);
    const io = getIo(world);
    const note = join(world.folder, "pid");
    const effective = await loadConfig(io);
    const report = await readSource(io, effective, "mute", silent(note), 3_000);
    expect(report).toMatchObject({ operations: 0, failure: "it did not answer within 3 s" });
    expect(report.hint).toContain("Run the command yourself");
    expect(existsSync(note)).toBe(true);
    const pid = Number(await readFile(note, "utf8"));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
