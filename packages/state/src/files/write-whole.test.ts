import { lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { writePrivate, writeWhole } from "./index.ts";

describe("writeWhole", () => {
  it("writeWhole never lets a reader see half of a file", async () => {
    const path = join(await temporaryFolder(onTestFinished), "text");
    const [one, two] = ["1".repeat(200_000), "2".repeat(200_000)];
    await writeWhole(path, one);
    for (let turn = 0; turn < 20; turn++) {
      const writing = writeWhole(path, turn % 2 === 0 ? two : one);
      const read = await Promise.all(Array.from({ length: 5 }, () => readFile(path, "utf8")));
      expect(read.every((text) => text === one || text === two)).toBe(true);
      await writing;
    }
  });

  it("writeWhole leaves no temporary file if the file cannot be replaced", async () => {
    const folder = await temporaryFolder(onTestFinished);
    await mkdir(join(folder, "taken"));
    await expect(writeWhole(join(folder, "taken"), "text")).rejects.toThrow(
      /EISDIR|EPERM|ENOTEMPTY/,
    );
    expect(await readdir(folder)).toEqual(["taken"]);
  });

  it("writeWhole keeps a symbolic link and the permissions of the file", async () => {
    const folder = await temporaryFolder(onTestFinished);
    await writeFile(join(folder, "real"), "old", { mode: 0o600 });
    await symlink(join(folder, "real"), join(folder, "link"));
    await writeWhole(join(folder, "link"), "new");
    expect(await readFile(join(folder, "real"), "utf8")).toBe("new");
    expect((await stat(join(folder, "real"))).mode & 0o777).toBe(0o600);
  });
});

it("writeWhole creates the target of a symbolic link that does not exist yet", async () => {
  const folder = await temporaryFolder(onTestFinished);
  await symlink(join("dotfiles", "real"), join(folder, "link"));
  await writeWhole(join(folder, "link"), "new");
  expect(await readFile(join(folder, "dotfiles/real"), "utf8")).toBe("new");
  expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(true);
});

describe("writePrivate", () => {
  it("writePrivate writes a file and a folder that only its user can read", async () => {
    const folder = join(await temporaryFolder(onTestFinished), "state");
    await writePrivate(join(folder, "secret"), "text");
    expect((await stat(join(folder, "secret"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});
