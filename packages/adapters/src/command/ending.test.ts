import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sharedBundle } from "../../../../test/support/shared-bundle.ts";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { fixture, fixtureEnv as env, isRunning } from "./fixtures/support.mjs";
import { runProgram } from "./index.ts";

const graceMs = 200;

function failsWith(code: string, outcome: string): unknown {
  const details: unknown = expect.objectContaining({ outcome });
  return expect.objectContaining({ code, details });
}

/** Aborts a fixture as soon as its child process is ready, and returns the id of that process. */
async function abortWhenUp(name: string): Promise<number> {
  const ready = join(mkdtempSync(join(tmpdir(), "waybill-")), "ready");
  const controller = new AbortController();
  const run = runProgram({
    program: fixture(name),
    argv: [],
    env: { ...env, READY: ready },
    graceMs,
    signal: controller.signal,
  });
  const ended = run.catch((error: unknown) => error);
  await expect.poll(() => existsSync(ready) && readFileSync(ready, "utf8")).toMatch(/^\d+\n/u);
  const pid = Number.parseInt(readFileSync(ready, "utf8"), 10);
  controller.abort();
  expect(await ended).toEqual(failsWith("ABORTED", "unknown"));
  return pid;
}

async function expectGone(...pids: number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
}

describe("ending a program", () => {
  it("runProgram kills a program that ignores SIGTERM", async () => {
    await expectGone(await abortWhenUp("stubborn"));
  });

  it("runProgram ends a program's child processes together with the program", async () => {
    await expectGone(await abortWhenUp("family"));
  });

  it("runProgram ends child processes that still run after the program has exited", async () => {
    const argv = ["--leave"];
    const result = await runProgram({ program: fixture("family"), argv, env, graceMs });
    expect(result.exitCode).toBe(0);
    await expectGone(Number(new TextDecoder().decode(result.stdout)));
  });

  it("runProgram returns TIMEOUT when a program runs past its deadline", async () => {
    const pass = stopClock();
    const deadline = Date.now() + 200;
    const onSpawned = vi.fn<(pid: number) => void>();
    const program = { program: fixture("stubborn"), argv: [], env, graceMs, deadline, onSpawned };
    const ended = runProgram(program).catch((error: unknown) => error);
    await expect.poll(() => onSpawned.mock.calls).toHaveLength(1);
    await pass(200 + graceMs);
    expect(await ended).toEqual(failsWith("TIMEOUT", "unknown"));
  });

  it("runProgram starts no program after an abort or after the deadline", async () => {
    const spawned = vi.fn<(pid: number) => void>();
    const base = { program: fixture("echo"), argv: [], env, onSpawned: spawned };
    const aborted = runProgram({ ...base, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toThrow(failsWith("ABORTED", "not_applied"));
    const late = runProgram({ ...base, deadline: Date.now() - 1 });
    await expect(late).rejects.toThrow(failsWith("TIMEOUT", "not_applied"));
    expect(spawned).not.toHaveBeenCalled();
  });

  it("runProgram ends the program if the onSpawned listener throws", async () => {
    let leader = 0;
    const onSpawned = (pid: number): void => {
      leader = pid;
      throw new Error("no");
    };
    const run = runProgram({ program: fixture("stubborn"), argv: [], env, graceMs, onSpawned });
    await expect(run).rejects.toThrow("no");
    await expectGone(leader);
  });
});

describe("the end of Waybill's own process", () => {
  let argv: readonly string[];
  beforeAll(async () => {
    const runner = await sharedBundle(pathToFileURL(fixture("runner")));
    argv = [runner, fixture("stubborn")];
  });

  it.each([
    ["exits", "line"],
    ["is interrupted", "SIGINT"],
    ["is told to end", "SIGTERM"],
  ] as const)(
    "a program is ended when the Waybill process that started the program %s",
    async (_name, how) => {
      const runner = spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "inherit"] });
      const [pid] = (await once(runner.stdout, "data")) as [Buffer];
      const ended = once(runner, "exit");
      if (how === "line") runner.stdin.write("end\n");
      else runner.kill(how);
      expect(await ended).toEqual(how === "line" ? [0, null] : [null, how]);
      await expectGone(Number(pid.toString()));
    },
  );
});
