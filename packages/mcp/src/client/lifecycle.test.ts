import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { sharedBundle } from "../../../../test/support/shared-bundle.ts";
import {
  fixture,
  isRunning,
  linesOf,
  oddServer,
  temporaryFolder,
  textOf,
  waybillOf,
} from "./fixtures/support.ts";
import { mcpSource } from "./index.ts";

const USER = await sharedBundle(pathToFileURL(fixture("user.ts")));

function pidsIn(path: string): number[] {
  return linesOf(path).map(Number);
}

/** Runs the fixture that uses a server and then waits, or ends without closing anything. */
function runUser(mode: "wait" | "leave", log: string, flags: readonly string[]) {
  return spawn(process.execPath, [USER, mode, ...flags], {
    env: { ...process.env, START_LOG: log, CHILD_LOG: log },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** How many running shells this process has started. Watchdogs are shells. Linux only. */
function countShells(): number {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return processes.filter((id) => {
    const [stat = ""] = linesOf(`/proc/${id}/stat`);
    return stat.includes(`(sh) S ${process.pid} `);
  }).length;
}

describe("process of a stdio server", () => {
  it("all calls of a stdio server use one process, even calls at the same time", async () => {
    const waybill = waybillOf(oddServer());
    const results = await Promise.all(Array.from({ length: 20 }, () => waybill.execute("odd.pid")));
    expect(new Set(results.map(({ data }) => textOf(data))).size).toBe(1);
  });

  it("an idle stdio server is stopped, and the next call starts the server again", async () => {
    const waybill = waybillOf(oddServer([], { idleMs: 50 }));
    const first = Number(textOf((await waybill.execute("odd.pid")).data));
    await expect.poll(() => isRunning(first)).toBe(false);
    const second = Number(textOf((await waybill.execute("odd.pid")).data));
    expect(second).not.toBe(first);
  });

  it("closing an MCP source ends the stdio server and its child processes, even if they ignore signals", async () => {
    const log = join(temporaryFolder(), "pids");
    const env = { START_LOG: log, CHILD_LOG: log };
    const source = mcpSource(oddServer(["--deaf", "--child"], { env }));
    await source.list();
    const pids = pidsIn(log);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await source.close();
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
  });

  it("a stdio server and its child process end when the program that uses them is killed", async () => {
    const log = join(temporaryFolder(), "pids");
    const user = runUser("wait", log, ["--deaf", "--child"]);
    await once(user.stdout, "data");
    const pids = pidsIn(log);
    expect(pids.map(isRunning)).toEqual([true, true]);
    user.kill("SIGKILL");
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
  });

  it("a stdio server does not keep the process alive if the program does not close the source", async () => {
    const log = join(temporaryFolder(), "pids");
    const user = runUser("leave", log, ["--deaf"]);
    const [code] = (await once(user, "exit")) as [number];
    expect(code).toBe(0);
    await expect.poll(() => pidsIn(log).map(isRunning)).toEqual([false]);
  });

  it("closing an MCP source does not wait for a stdio server that is still starting", async () => {
    const log = join(temporaryFolder(), "pids");
    const source = mcpSource(oddServer(["--mute"], { env: { START_LOG: log } }));
    const listing = source.list().catch((error: unknown) => error);
    await expect.poll(() => linesOf(log)).toHaveLength(1);
    await source.close();
    expect(await listing).toBeInstanceOf(Error);
    await expect.poll(() => pidsIn(log).map(isRunning)).toEqual([false]);
  });

  it.runIf(process.platform === "linux")(
    "no watchdog process keeps running if the stdio server cannot be started",
    async () => {
      const before = countShells();
      const waybill = waybillOf({ name: "odd", command: "/no/such/program" });
      expect((await waybill.execute("odd.pid")).ok).toBe(false);
      await expect.poll(countShells).toBeLessThanOrEqual(before);
    },
  );

  it("an MCP source cannot be used after it was closed", async () => {
    const source = mcpSource(oddServer());
    await source.close();
    await expect(source.list()).rejects.toThrow("was closed");
  });
});
