import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasProgram, installReason, markInstalled, programs } from "../scripts/setup.mjs";
import type { Program } from "../scripts/setup.mjs";
import { describeWithProgram, programVerdict } from "./support/programs.ts";
import { writeTree } from "./support/tree.ts";

describeWithProgram("gh", () => {
  it("tells its version", () => {
    expect(readProgramVersion("gh")).toMatch(/^gh version \d+\./);
  });
});

describeWithProgram("nats-server", () => {
  it("tells its version", () => {
    expect(readProgramVersion("nats-server")).toMatch(/^nats-server: v\d+\./);
  });
});

describeWithProgram("chromium", () => {
  it("tells its version", () => {
    expect(readProgramVersion("chromium")).toMatch(/^Chromium \d+\./);
  });
});

describe("a program that tests need", () => {
  it("runs its suite when it is found", () => {
    expect(programVerdict(true, false)).toBe("run");
    expect(programVerdict(true, true)).toBe("run");
  });

  it("skips its suite when it is missing on a contributor's machine", () => {
    expect(programVerdict(false, false)).toBe("skip");
  });

  it("fails when it is missing in CI", () => {
    expect(programVerdict(false, true)).toBe("fail");
  });

  it("a program that tests need is looked up on the PATH", () => {
    expect(hasProgram("node")).toBe(true);
    expect(hasProgram("no-such-program")).toBe(false);
  });

  it("a program that tests need has a Debian package in the table", () => {
    expect(programs).toEqual({
      gh: "gh",
      "nats-server": "nats-server",
      chromium: "chromium",
      curl: "curl",
      bwrap: "bubblewrap",
    });
  });
});

describe("installReason", () => {
  const lockOnly = { "package-lock.json": "{}" };
  const withModules = { ...lockOnly, "node_modules/a/index.js": "" };

  it("asks for an install without node_modules", () => {
    expect(installReason(writeTree(lockOnly))).toBe("node_modules is missing");
  });

  it("asks for an install when nothing says what node_modules came from", () => {
    expect(installReason(writeTree(withModules))).toMatch("not installed by this script");
  });

  it("is silent after an install", () => {
    const folder = writeTree(withModules);
    markInstalled(folder);
    expect(installReason(folder)).toBeUndefined();
  });

  it("asks for an install once package-lock.json has changed", () => {
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
