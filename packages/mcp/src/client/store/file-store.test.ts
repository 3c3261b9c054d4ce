import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures/support.ts";
import { fileStore, memoryStore } from "../index.ts";

function storeIn(folder: string) {
  return fileStore(join(folder, "state"));
}

describe.each([
  ["files", () => storeIn(temporaryFolder())],
  ["memory", memoryStore],
])("state store in %s", (_kind, open) => {
  it("the file store of MCP state returns a written value", async () => {
    const store = open();
    expect(await store.read("a")).toBeUndefined();
    await store.write("a", { deep: [1, null, "x"] });
    expect(await store.read("a")).toEqual({ deep: [1, null, "x"] });
  });

  it("the file store of MCP state runs one task for a key at a time, and tasks of different keys concurrently", async () => {
    const store = open();
    let atOnce = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, (atOnce += 1));
      await sleep(5);
      atOnce -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => store.exclusive("a", work)));
    expect(most).toBe(1);
    const other = store.exclusive("a", () => store.exclusive("b", async () => "both"));
    expect(await other).toBe("both");
  });

  it("the file store of MCP state runs the next task after a failed task", async () => {
    const store = open();
    const failing = store.exclusive("a", () => Promise.reject(new Error("no")));
    const next = store.exclusive("a", async () => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});

describe("fileStore", () => {
  it("the file of any key of MCP state stays in the folder and is readable by its user only", async () => {
    const folder = temporaryFolder();
    const key = "../../etc/passwd";
    await storeIn(folder).write(key, "x");
    expect(await storeIn(folder).read(key)).toBe("x");
    const names = readdirSync(join(folder, "state"));
    expect(names).toHaveLength(1);
    expect(statSync(join(folder, "state", names[0]!)).mode & 0o777).toBe(0o600);
  });

  it("a malformed file in the store of MCP state counts as missing", async () => {
    const folder = temporaryFolder();
    await storeIn(folder).write("a", 1);
    const [name] = readdirSync(join(folder, "state"));
    writeFileSync(join(folder, "state", name!), "{half");
    expect(await storeIn(folder).read("a")).toBeUndefined();
  });

  it("a write to the file store of MCP state fails if the folder cannot be created", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "state"), "a file");
    await expect(storeIn(folder).write("a", 1)).rejects.toThrow(/EEXIST|ENOTDIR/u);
  });

  it("a task of the file store waits for another process that holds the lock, but not for a process that died", async () => {
    const folder = temporaryFolder();
    const store = storeIn(folder);
    await store.write("a", 1);
    const [name] = readdirSync(join(folder, "state"));
    const lock = join(folder, "state", `${name}.lock`);
    writeFileSync(lock, "someone else");
    const order: string[] = [];
    const waiting = store.exclusive("a", async () => order.push("worked"));
    await sleep(120);
    order.push("still held");
    const long = new Date(Date.now() - 60_000);
    utimesSync(lock, long, long);
    await waiting;
    expect(order).toEqual(["still held", "worked"]);
    expect(readdirSync(join(folder, "state"))).toEqual([name]);
  });

  it("the file store does not remove a lock that another process took", async () => {
    const folder = temporaryFolder();
    const store = storeIn(folder);
    await store.write("a", 1);
    const [name] = readdirSync(join(folder, "state"));
    const lock = join(folder, "state", `${name}.lock`);
    await store.exclusive("a", async () => writeFileSync(lock, "another"));
    expect(readdirSync(join(folder, "state"))).toContain(`${name}.lock`);
  });
});
