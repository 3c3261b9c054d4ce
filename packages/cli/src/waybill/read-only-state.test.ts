import { join, resolve } from "node:path";
import { startGithubEmulator } from "@waybill/github/emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { describingItems } from "../fixtures/sources.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

/** Folders that nobody can create, not even root: below a file, and in `/proc`. */
const STATES =
  process.platform === "linux" ? ["no-folder/state", "/proc/self/state"] : ["no-folder/state"];

async function worldWithState(state: string): Promise<World> {
  const world = await makeWorld(onTestFinished);
  await world.write("no-folder", "");
  world.env["WAYBILL_STATE"] = resolve(world.folder, state);
  return world;
}

const TELLS_TOO_MUCH = /ENOTDIR|EROFS|EACCES|\n\s+at /u;

describe.each(STATES)("a state folder that is not writable: %s", (state) => {
  it("reads from a GitHub behind a socket work without a writable state folder", async () => {
    const world = await worldWithState(state);
    const github = await startGithubEmulator({ socket: join(world.folder, "github.sock") });
    onTestFinished(() => github.close());
    world.env["WAYBILL_GITHUB"] = github.env;
    const ended = await world.run(["run", "issue.list", "repo=octo/hello"]);
    expect([ended.code, jsonOf(ended).ok]).toEqual([0, true]);
    expect(ended.stdout + ended.stderr).not.toMatch(TELLS_TOO_MUCH);
  });

  it("reads from any kind of source work without a writable state folder", async () => {
    const world = await worldWithState(state);
    await world.write("project/items.json", describingItems(world.upstream.url));
    const document = join(world.project, "items.json");
    const shop = { kind: "openapi", document, allow_private: ["127.0.0.1"] };
    const demo = world.source({ folder: join(world.project, "cards") });
    // The user's own configuration needs no trust. Trust would be stored in the folder that cannot
    // be written.
    await world.write("project/waybill.config.json", {});
    await world.writeUserConfig({ history: "on", sources: { shop, demo } });
    const read = await world.run(["run", "item.view", "id=3"]);
    expect([read.code, jsonOf(read).ok]).toEqual([0, true]);
    const described = await world.run(["run", "shop.getItem", "id=3"]);
    expect([described.code, jsonOf(described).ok]).toEqual([0, true]);
    const found = await world.run(["capabilities", "search", "item"]);
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining("item.view")]);
    expect(read.stdout + described.stdout + found.stdout).not.toMatch(TELLS_TOO_MUCH);
  });

  it("a write with a key is refused without a writable state folder", async () => {
    const world = await worldWithState(state);
    const demo = world.source({ folder: join(world.project, "cards") });
    await world.write("project/waybill.config.json", {});
    await world.writeUserConfig({ sources: { demo } });
    const words = ["run", "item.create", "title=a", "--idempotency-key", "k"];
    const ended = jsonOf(await world.run(words));
    expect(ended.error.code).toBe("NOT_READY");
    expect(world.upstream.seen).toEqual([]);
  });

  it("a program can read without a writable state folder, but not write", async () => {
    const world = await worldWithState(state);
    const demo = world.source({ folder: join(world.project, "cards") });
    await world.write("project/waybill.config.json", {});
    await world.writeUserConfig({ sources: { demo } });
    const read = jsonOf(await world.run(["code", 'return (await item.view({ id: "3" })).id']));
    expect(read.ok).toBe(true);
    const written = jsonOf(await world.run(["code", 'await item.create({ title: "a" })']));
    expect(written.error).toMatchObject({
      code: "NOT_READY",
      message: expect.stringContaining("Runs cannot be stored in") as string,
      details: { outcome: "not_applied", hint: expect.stringContaining("writable") as string },
    });
    expect(world.upstream.seen.map(({ method }) => method)).not.toContain("POST");
  });
});
