import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openLimits } from "./limit-file.ts";
import { openScopes } from "./scope-file.ts";

/** A state folder that does not exist, as for a new user. */
async function newState(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-limits-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "state", "waybill");
}

describe("the file of rate limits", () => {
  it("another process reads a rate limit that was stored before the state folder existed", async () => {
    const path = join(await newState(), "limits.json");
    const limit = { resource: "core", until: Date.now() + 600_000 };
    await openLimits(path).add("account", limit);
    expect(await openLimits(path).read("account")).toEqual([limit]);
  });

  it("token scopes can be stored before the state folder exists", async () => {
    const path = join(await newState(), "scopes.json");
    await openScopes(path).write("token", ["repo"]);
    expect(await openScopes(path).read("token")).toEqual(["repo"]);
  });
});
