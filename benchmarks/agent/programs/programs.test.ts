import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { stopClock } from "../../../test/support/stop-clock.ts";
import { askGithub } from "./ask-github.ts";
import { McpSession } from "./mcp-session.ts";
import { runLine } from "./run-line.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };
const SOON = 300;

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended but was not collected by its parent is still listed.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

async function pidIn(file: string): Promise<number> {
  const pid = (): number => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  await expect.poll(pid).toBeGreaterThan(0);
  return pid();
}

async function isEnded(pid: number): Promise<void> {
  await expect.poll(() => isRunning(pid)).toBe(false);
}

it("the benchmark's runner of shell lines returns the output and exit code", async () => {
  const ran = await runLine("echo out; echo err >&2; exit 3", scratch(), ENV);
  expect(ran).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
});

it("the benchmark's runner ends a hanging shell line with all its processes, and names the line in the error", async () => {
  const folder = scratch();
  const line = "sleep 600 & echo $! > pid; sleep 600";
  const pass = stopClock();
  const stuck = runLine(line, folder, ENV, SOON).catch(String);
  const pid = await pidIn(join(folder, "pid"));
  await pass(SOON);
  expect(await stuck).toContain(`${line} did not end within 0.3 s`);
  await isEnded(pid);
});

it("the benchmark's runner ends processes that a shell line leaves behind", async () => {
  const folder = scratch();
  const { stdout } = await runLine("sleep 600 & echo $! > pid; echo done", folder, ENV);
  expect(stdout).toBe("done\n");
  await isEnded(await pidIn(join(folder, "pid")));
});

it("the benchmark stops waiting for a GitHub that does not answer", async () => {
  const socket = join(scratch(), "s");
  const server = createServer(() => {}).listen(socket);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const asked = askGithub(socket, { method: "GET", path: "/user" }, SOON);
  await expect(asked).rejects.toThrow("GET /user did not end within 0.3 s");
});

it("the benchmark ends an MCP server that does not answer", async () => {
  const folder = scratch();
  const session = new McpSession(SOON);
  const pass = stopClock();
  const words = ["-c", "echo $$ > pid; exec sleep 600"];
  const opened = session.open("/bin/sh", words, folder, ENV).catch(String);
  const pid = await pidIn(join(folder, "pid"));
  await pass(SOON);
  expect(await opened).toContain("did not end within 0.3 s");
  await isEnded(pid);
});
