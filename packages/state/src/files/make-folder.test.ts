import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { makeFolder } from "./make-folder.ts";

describe("makeFolder", () => {
  it("makeFolder creates parent folders with the same permissions", async () => {
    const parent = await temporaryFolder(onTestFinished);
    await makeFolder(join(parent, "a", "b", "c"), 0o700);
    expect((await stat(join(parent, "a"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(parent, "a/b/c"))).mode & 0o777).toBe(0o700);
  });

  it("makeFolder accepts an existing folder, even if several callers create it at the same time", async () => {
    const folder = join(await temporaryFolder(onTestFinished), "a/b");
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(folder)));
    await expect(makeFolder(folder)).resolves.toBeUndefined();
  });

  it("makeFolder succeeds while another caller creates a folder below it", async () => {
    const parent = await temporaryFolder(onTestFinished);
    for (let round = 0; round < 200; round += 1) {
      const folder = join(parent, String(round), "a");
      const both = Promise.all([makeFolder(join(folder, "b")), makeFolder(folder)]);
      await expect(both).resolves.toBeDefined();
    }
  });

  it("makeFolder fails if a file is in the way", async () => {
    const parent = await temporaryFolder(onTestFinished);
    await writeFile(join(parent, "file"), "");
    await expect(makeFolder(join(parent, "file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(makeFolder(join(parent, "file/a"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  it.runIf(process.platform === "linux")(
    "makeFolder fails in a file system in which no folder can be created",
    async () => {
      await expect(makeFolder("/proc/self/a/b")).rejects.toMatchObject({ code: "ENOENT" });
    },
  );
});
