import { mkdir, readFile, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { editSources, loadConfig } from "./index.ts";
import type { Config, SourceConfig } from "./index.ts";

const SOURCE: SourceConfig = { kind: "command", manifest: "m.yaml" };

async function place() {
  const folder = await temporaryFolder(onTestFinished);
  const env = { HOME: folder };
  const path = join(folder, "waybill.config.json");
  const add = (name: string) =>
    editSources(path, env, (sources) => ({ ...sources, [name]: SOURCE }), [name]);
  const names = async (): Promise<string[]> => {
    const { sources = {} } = JSON.parse(await readFile(path, "utf8")) as Config;
    return Object.keys(sources).toSorted();
  };
  return { folder, env, path, add, names };
}

function refuse(): never {
  throw new Error("taken");
}

describe("editSources", () => {
  it("twelve concurrent edits of the configuration are all stored, and each added source is trusted", async () => {
    const { folder, env, add, names } = await place();
    const all = Array.from({ length: 12 }, (_, index) => `s${index}`);
    await Promise.all(all.map(add));
    expect(await names()).toEqual(all.toSorted());
    const { sources, warnings } = await loadConfig({ cwd: folder, env });
    expect([Object.keys(sources).length, warnings]).toEqual([12, []]);
    expect(await readdir(folder)).not.toContain("waybill.config.json.lock");
  });

  it("editSources trusts the source that it added, and no source that was there before", async () => {
    const { folder, path, env, add } = await place();
    await writeFile(path, JSON.stringify({ sources: { theirs: SOURCE }, state: "s" }));
    await add("mine");
    const { sources, untrusted, state } = await loadConfig({ cwd: folder, env });
    expect([Object.keys(sources), Object.keys(untrusted)]).toEqual([["mine"], ["theirs"]]);
    expect(state).not.toBe(join(folder, "s"));
  });

  it("editSources leaves the file unchanged and releases the lock if it refuses an edit", async () => {
    const { path, env, add, names } = await place();
    await add("one");
    await expect(editSources(path, env, refuse)).rejects.toThrow("taken");
    await expect(
      editSources(path, env, () => ({ bad: { kind: "none" } as unknown as SourceConfig })),
    ).rejects.toThrow("/sources/bad/kind");
    await add("two");
    expect(await names()).toEqual(["one", "two"]);
  });

  it("editSources continues after a process that died while it held the lock", async () => {
    const { path, add, names } = await place();
    await writeFile(`${path}.lock`, "somebody");
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${path}.lock`, longAgo, longAgo);
    await add("one");
    expect(await names()).toEqual(["one"]);
  });

  it("editSources keeps a symbolic link and the permissions of the file", async () => {
    const { folder, path, add, names } = await place();
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real/file.json"), "{}", { mode: 0o600 });
    await symlink(join(folder, "real/file.json"), path);
    await add("one");
    expect(await names()).toEqual(["one"]);
    expect((await stat(join(folder, "real/file.json"))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, "real"))).toEqual(["file.json"]);
  });
});
