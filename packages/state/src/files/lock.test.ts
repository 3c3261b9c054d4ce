import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { takeLock, withLock } from "./index.ts";

const NODE = ["-C", "@waybill/source", "--import", "tsx"];

function start(fixture: string, ...args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`fixtures/${fixture}.ts`, import.meta.url));
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [...NODE, file, ...args], { stdio: [...stdio] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function lockPath(): Promise<string> {
  return join(await temporaryFolder(onTestFinished), "thing.lock");
}

async function heldByChild(path: string): Promise<ChildProcess> {
  const child = start("holder", path);
  const [said] = (await once(child.stdout!, "data")) as [Buffer];
  expect(said.toString()).toBe("held\n");
  return child;
}

describe("file locks", () => {
  it("the file lock lets several processes change a file one after the other", async () => {
    const folder = await temporaryFolder(onTestFinished);
    const path = join(folder, "count");
    await writeFile(path, "0");
    const children = Array.from({ length: 4 }, () => start("counter", path, "25"));
    const codes = await Promise.all(children.map((child) => once(child, "exit")));
    expect(codes.map(([code]) => code as unknown)).toEqual([0, 0, 0, 0]);
    expect(await readFile(path, "utf8")).toBe("100");
    expect(await readdir(folder)).toEqual(["count"]);
  });

  it("a file lock cannot be taken while another process holds it", async () => {
    const path = await lockPath();
    await heldByChild(path);
    expect(await takeLock(path, { waitMs: 0 })).toBeUndefined();
    await expect(withLock(path, async () => 1, { waitMs: 0 })).rejects.toMatchObject({
      details: { code: "NOT_READY", outcome: "not_applied" },
    });
  });

  it.runIf(process.platform === "linux")(
    "the file lock of a killed process can be taken at once",
    async () => {
      const path = await lockPath();
      const child = await heldByChild(path);
      child.kill("SIGKILL");
      await once(child, "exit");
      const lock = await takeLock(path, { waitMs: 0 });
      expect(lock).toBeDefined();
      await lock?.release();
    },
  );

  it("a file lock that was not touched for a minute can be taken", async () => {
    const path = await lockPath();
    await writeFile(path, "a process of another machine");
    expect(await takeLock(path, { waitMs: 0 })).toBeUndefined();
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(path, longAgo, longAgo);
    expect(await withLock(path, async () => "done", { waitMs: 0 })).toBe("done");
  });

  it("releasing a lost file lock does not remove the new holder's lock", async () => {
    const path = await lockPath();
    const lock = await takeLock(path);
    await writeFile(path, "another holder");
    await lock?.release();
    expect(await readFile(path, "utf8")).toBe("another holder");
  });

  it("a file lock is released if the function that holds it throws", async () => {
    const path = await lockPath();
    await expect(withLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withLock(path, async () => "yes", { waitMs: 0 })).toBe("yes");
  });
});
