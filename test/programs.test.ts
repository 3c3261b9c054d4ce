import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasProgram, installReason, markInstalled, programs } from "../scripts/setup.mjs";
import type { Program } from "../scripts/setup.mjs";
import { describeWithProgram, programVerdict } from "./support/programs.ts";
import { writeTree } from "./support/tree.ts";

describeWithProgram("gh", () => {
  it("the tests find a gh that runs and prints its version", () => {
    expect(readProgramVersion("gh")).toMatch(/^gh version \d+\./);
  });
});

describeWithProgram("nats-server", () => {
  it("the tests find a nats-server that runs and prints its version", () => {
    expect(readProgramVersion("nats-server")).toMatch(/^nats-server: v\d+\./);
  });
});

describeWithProgram("chromium", () => {
  it("the tests find a chromium that runs and prints its version", () => {
    expect(readProgramVersion("chromium")).toMatch(/^Chromium \d+\./);
  });
});

describe("programs that tests need", () => {
  it("a test suite runs if the program it needs is found", () => {
    expect(programVerdict(true, false)).toBe("run");
    expect(programVerdict(true, true)).toBe("run");
  });

  it("a test suite whose program is missing is skipped on a contributor's machine", () => {
    expect(programVerdict(false, false)).toBe("skip");
  });

  it("a test suite whose program is missing fails in CI", () => {
    expect(programVerdict(false, true)).toBe("fail");
  });

  it("programs that tests need are looked up on the PATH", () => {
    expect(hasProgram("node")).toBe(true);
    expect(hasProgram("no-such-program")).toBe(false);
  });

  it("the message about a missing program names its Debian package", () => {
    expect(programs).toEqual({
      gh: "gh",
      "nats-server": "nats-server",
      chromium: "chromium",
      curl: "curl",
      bwrap: "bubblewrap",
      faketime: "faketime",
    });
  });
});

describe("installReason", () => {
  const lockOnly = { "package-lock.json": "{}" };
  const withModules = { ...lockOnly, "node_modules/a/index.js": "" };

  it("npm test asks for an install when node_modules is missing", () => {
    expect(installReason(writeTree(lockOnly))).toBe("node_modules is missing");
  });

  it("npm test asks for an install when node_modules came from another install", () => {
    expect(installReason(writeTree(withModules))).toMatch("not installed by this script");
  });

  it("npm test asks for no install after an install", () => {
    const folder = writeTree(withModules);
    markInstalled(folder);
    expect(installReason(folder)).toBeUndefined();
  });

  it("npm test asks for an install if only the packages of the tour of npm start are installed", () => {
    const folder = writeTree(withModules);
    markInstalled(folder, { isPart: true });
    expect(installReason(folder, { isTour: true })).toBeUndefined();
    expect(installReason(folder)).toBe("only the packages of the tour are installed");
  });

  it("npm test asks for an install once package-lock.json has changed", () => {
    const folder = writeTree(withModules);
    markInstalled(folder);
    writeFileSync(join(folder, "package-lock.json"), '{ "lockfileVersion": 3 }');
    expect(installReason(folder)).toBe("package-lock.json has changed");
  });
});

function readProgramVersion(name: Program): string {
  return execFileSync(name, ["--version"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}
