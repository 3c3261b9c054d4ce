import { mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../journal/fixtures/temporary.ts";
import { ensurePrivateFolder, stateFolder } from "./state-folder.ts";

describe("the state folder", () => {
  it.each([
    [{ HOME: "/home/a" }, "/home/a/.local/state/waybill"],
    [{ HOME: "/home/a", XDG_STATE_HOME: "/var/a" }, "/var/a/waybill"],
    [{ HOME: "/home/a", XDG_STATE_HOME: "relative" }, "/home/a/.local/state/waybill"],
    [{ HOME: "/home/a", XDG_STATE_HOME: "", WAYBILL_STATE: "" }, "/home/a/.local/state/waybill"],
    [{ XDG_STATE_HOME: "/var/a", WAYBILL_STATE: "/tmp/w" }, "/tmp/w"],
    [{ WAYBILL_STATE: "here" }, resolve("here")],
  ])("the state folder for %j is %s", (env, folder) => {
    expect(stateFolder(env)).toBe(folder);
  });

  it("the state folder has a default if no environment variable is set", () => {
    expect(stateFolder({})).toMatch(/waybill$/);
  });

  it("a new state folder is readable by its user only, and an existing folder keeps its permissions", async () => {
    const parent = await temporaryFolder(onTestFinished);
    await ensurePrivateFolder(join(parent, "a", "b"));
    expect((await stat(join(parent, "a", "b"))).mode & 0o777).toBe(0o700);
    await mkdir(join(parent, "open"), { mode: 0o755 });
    await ensurePrivateFolder(join(parent, "open"));
    expect((await stat(join(parent, "open"))).mode & 0o777).toBe(0o755);
  });
});
