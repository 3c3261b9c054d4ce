import { describe, expect, it } from "vitest";
import { launcherWords, splitWords } from "./launcher.ts";
import type { Installation } from "./launcher.ts";

function installedAt(script: string, platform: NodeJS.Platform = "linux"): Installation {
  return { node: "/opt/node/bin/node", script, version: "1.2.3", platform };
}

const GLOBAL = "/opt/node/lib/node_modules/waybill/bin/waybill.cjs";
const FETCHED = "/home/ada/.npm/_npx/abc/node_modules/waybill/bin/waybill.cjs";
const CLONE = "/home/ada/waybill/packages/cli/bin/waybill.cjs";
const NPX = ["npx", "-y", "waybill@1.2.3"];

describe("launcherWords", () => {
  it.each([
    ["a global install, for the user", GLOBAL, true, ["/opt/node/bin/node", GLOBAL]],
    ["a global install, for a shared project", GLOBAL, false, NPX],
    ["npx's cache, for the user", FETCHED, true, NPX],
    ["a clone, for a project", CLONE, false, ["/opt/node/bin/node", CLONE]],
  ])("setup writes a command that starts Waybill from %s", (_name, script, isUsers, words) => {
    expect(launcherWords(installedAt(script), isUsers)).toEqual(words);
  });

  it("an agent's configuration on Windows starts npx through cmd", () => {
    expect(launcherWords(installedAt(FETCHED, "win32"), true)).toEqual(["cmd", "/c", ...NPX]);
  });
});

describe("splitWords", () => {
  it.each([
    [["waybill", "serve", "mcp"]],
    [[...NPX, "serve", "mcp", "--brief"]],
    [["cmd", "/c", ...NPX, "serve", "mcp"]],
    [["/usr/bin/node", CLONE, "serve", "mcp", "--tools", "issue.*"]],
  ])("setup recognises %j as the command of Waybill's server", (words) => {
    const { launcher = [], rest = [] } = splitWords(words) ?? {};
    expect(rest.slice(0, 2)).toEqual(["serve", "mcp"]);
    expect([...launcher, ...rest]).toEqual(words);
  });

  it.each([
    [["waybill", "run"]],
    [["npx", "-y", "other@1", "serve", "mcp"]],
    [["node", "waybill.cjs", "serve", "mcp"]],
    [["/bin/sh", "/x/waybill.cjs", "serve", "mcp"]],
    [[]],
  ])("setup does not recognise %j as the command of Waybill's server", (words) => {
    expect(splitWords(words)).toBeUndefined();
  });
});
