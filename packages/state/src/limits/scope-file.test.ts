import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openScopes } from "./index.ts";

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-scopes-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "scopes.json");
}

describe("the file of token scopes", () => {
  it("another process reads the stored scopes of a token", async () => {
    const path = await newPath();
    await openScopes(path).write("a", ["repo"]);
    await openScopes(path).write("b", []);
    expect(await openScopes(path).read("a")).toEqual(["repo"]);
    expect(await openScopes(path).read("b")).toEqual([]);
    expect(await openScopes(path).read("c")).toBeUndefined();
  });

  it("stored token scopes older than ten minutes are forgotten", async () => {
    const path = await newPath();
    await openScopes(path).write("a", ["repo"]);
    const text = await readFile(path, "utf8");
    const old = text.replace(/"at":(\d+)/u, (_, at: string) => `"at":${Number(at) - 600_001}`);
    await writeFile(path, old);
    expect(await openScopes(path).read("a")).toBeUndefined();
  });

  it("a damaged file of token scopes counts as empty and can be written again", async () => {
    const path = await newPath();
    for (const text of ["", "{", "null", "[]", '{"a":1,"b":{"scopes":[1],"at":0}}']) {
      await writeFile(path, text);
      expect(await openScopes(path).read("a")).toBeUndefined();
    }
    await openScopes(path).write("a", ["repo"]);
    expect(await openScopes(path).read("a")).toEqual(["repo"]);
  });
});
