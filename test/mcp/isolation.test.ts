import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createWaybill } from "@waybill/core";
import type { ResultEnvelope } from "@waybill/core";
import { isolationProblem, mcpSource } from "@waybill/mcp/client";
import type { StdioServer } from "@waybill/mcp/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeWithProgram } from "../support/programs.ts";

const NOSY = fileURLToPath(
  new URL("../../packages/mcp/src/client/fixtures/nosy-server.mjs", import.meta.url),
);

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "waybill-isolation-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Call = (tool: string, params?: object) => Promise<ResultEnvelope>;

function nosy(more: Partial<StdioServer> = {}): Call {
  const server = { command: process.execPath, args: [NOSY], cwd: dirname(NOSY), ...more };
  const protocol = "2025-11-25" as const;
  const source = mcpSource({ name: "nosy", protocol, ...server });
  const waybill = createWaybill({ sources: [source], retry: { maxAttempts: 1 } });
  onTestFinished(() => waybill.close());
  return (tool, params = {}) => waybill.execute(`nosy.${tool}`, params);
}

async function listening(): Promise<number> {
  const server = createServer((socket) => socket.end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A home folder with a file. Only a program without a sandbox can list it. */
async function home(): Promise<{ HOME: string }> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "id_rsa"), "secret");
  return { HOME: folder };
}

/** Sets a variable of this process until the test ends. */
function setVariable(name: string, value: string): void {
  const before = process.env[name];
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
  process.env[name] = value;
}

const problem = await isolationProblem();
const cannot = problem === undefined || problem.includes("not installed") ? undefined : problem;

describe("limits of an MCP server", () => {
  it("an MCP server that exceeds its memory limit is ended, and starts on the next call", async () => {
    // Node 24 reserves about 550 MB when it starts, Node 20 about 300 MB.
    const call = nosy({ limits: { memoryMb: 700 } });
    expect(await call("eat", { mb: 20 })).toMatchObject({ ok: true });
    expect((await call("eat", { mb: 1_000 })).ok).toBe(false);
    expect(await call("eat", { mb: 20 })).toMatchObject({ ok: true });
  });

  it("an MCP server that exceeds its processor time limit is ended", async () => {
    const call = nosy({ limits: { cpuSeconds: 2 } });
    expect((await call("spin")).error).toMatchObject({ details: { outcome: "unknown" } });
    expect((await call("list", { path: "/" })).ok).toBe(true);
  });

  it("an MCP server's program that is not installed is reported, even with limits", async () => {
    const call = nosy({ command: "no-such-program", limits: { memoryMb: 400 } });
    expect((await call("list")).error?.message).toContain("no-such-program is not installed");
  });
});

describeWithProgram("bwrap", () => {
  const suite = cannot === undefined ? describe : describe.skip;
  suite(`an isolated MCP server${cannot === undefined ? "" : ` (skipped: ${cannot})`}`, () => {
    it("an isolated MCP server sees an empty home folder", async () => {
      const env = await home();
      const path = env.HOME;
      expect(await nosy({ env })("list", { path })).toMatchObject({ data: { value: ["id_rsa"] } });
      expect(await nosy({ env, isolated: true })("list", { path })).toMatchObject({
        data: { value: [] },
      });
      // The sandbox hides the folder even if the server runs in it.
      const there = nosy({ env, cwd: path, isolated: { folders: [dirname(NOSY)] } });
      expect(await there("list", { path })).toMatchObject({ data: { value: [] } });
    });

    it("the user's home folder is hidden from an isolated MCP server whose HOME is another folder", async () => {
      const { HOME: path } = await home();
      setVariable("HOME", path);
      const call = nosy({ env: { HOME: await temporaryFolder() }, isolated: true });
      expect(await call("list", { path })).toMatchObject({ data: { value: [] } });
    });

    it("the state folder is hidden from an isolated MCP server that runs in it", async () => {
      const cwd = await temporaryFolder();
      await writeFile(join(cwd, "connections.json"), "secret");
      const seen = async (): Promise<unknown> => {
        const call = nosy({ cwd, isolated: { folders: [dirname(NOSY)] } });
        return (await call("list", { path: cwd })).data;
      };
      expect(await seen()).toEqual({ value: ["connections.json"] });
      setVariable("WAYBILL_STATE", cwd);
      expect(await seen()).toEqual({ value: [] });
    });

    it("the rest of ~/.local is hidden from an isolated MCP server whose program is in ~/.local/bin", async () => {
      const env = await home();
      const local = join(env.HOME, ".local");
      const command = join(local, "bin", "nosy");
      await mkdir(join(local, "bin"), { recursive: true });
      await mkdir(join(local, "share", "keyrings"), { recursive: true });
      await writeFile(command, `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
      await chmod(command, 0o755);
      const call = nosy({ command, env, isolated: { folders: [dirname(process.execPath)] } });
      expect(await call("list", { path: local })).toMatchObject({ data: { value: ["bin"] } });
    });

    it("the files of the temporary folder are hidden from an isolated MCP server that runs in it", async () => {
      const secret = await temporaryFolder();
      const call = nosy({ cwd: tmpdir(), isolated: { folders: [dirname(NOSY)] } });
      const { data } = await call("list", { path: tmpdir() });
      expect((data as { value: string[] }).value).not.toContain(basename(secret));
    });

    it("the network of an isolated MCP server is blocked by default", async () => {
      const port = await listening();
      expect(await nosy()("reach", { port })).toMatchObject({ data: { value: "reached" } });
      const isolated = await nosy({ isolated: true })("reach", { port });
      expect(isolated).toMatchObject({
        data: { value: expect.stringMatching(/^E[A-Z]+$/u) as string },
      });
      const allowed = nosy({ isolated: { network: true } });
      expect(await allowed("reach", { port })).toMatchObject({ data: { value: "reached" } });
    });

    it("an isolated MCP server can write only to the named folders", async () => {
      const [own, other] = [await temporaryFolder(), await temporaryFolder()];
      const call = nosy({ isolated: { writable: [own], folders: [other] } });
      expect(await call("write", { path: join(own, "a") })).toMatchObject({ ok: true });
      expect(await readFile(join(own, "a"), "utf8")).toBe("written");
      for (const path of [join(other, "a"), join(dirname(NOSY), "a"), "/usr/a", "/etc/a"]) {
        expect((await call("write", { path })).error?.message).toContain("EROFS");
      }
    });

    it("other processes and temporary files are hidden from an isolated MCP server", async () => {
      const call = nosy({ isolated: true });
      const { data } = await call("list", { path: "/proc" });
      const { value } = data as { value: string[] };
      expect(value.filter((name) => /^\d+$/u.test(name)).length).toBeLessThan(6);
      // The folder itself may exist, because the server may run in a clone below it.
      const secret = await temporaryFolder();
      const temporary = (await call("list", { path: tmpdir() })).data as { value: string[] };
      expect(temporary.value).not.toContain(basename(secret));
    });

    it("limits apply to an isolated MCP server", async () => {
      const call = nosy({ isolated: true, limits: { memoryMb: 400 } });
      expect((await call("eat", { mb: 800 })).ok).toBe(false);
    });
  });
});

describe("machine without bwrap", () => {
  it("an isolated MCP server does not start without bwrap, and the error says why", async () => {
    const path = process.env["PATH"];
    onTestFinished(() => void (process.env["PATH"] = path));
    process.env["PATH"] = "/nowhere";
    expect(await isolationProblem()).toBe("bwrap is not installed");
    const { error } = await nosy({ isolated: true, env: { PATH: "/nowhere" } })("list");
    expect(error).toMatchObject({ code: "NOT_READY", details: { outcome: "not_applied" } });
    expect(error?.message).toContain("bwrap is not installed");
    expect(error?.details?.["hint"]).toContain("bubblewrap");
  });
});
