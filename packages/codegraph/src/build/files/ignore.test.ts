import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isIgnored, parseIgnore } from "./ignore.ts";

const folder = mkdtempSync(join(tmpdir(), "waybill-ignore-"));
execFileSync("git", ["init", "--quiet", folder]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PATHS = [
  "a",
  "a.log",
  "b/a.log",
  "b/c/a.log",
  "b/c",
  "dist/x.js",
  "src/dist/x.js",
  "src/a/b/c.ts",
  "src/c.ts",
  "x(1).ts",
  "{a}.ts",
  "a|b",
  "a*b",
  "file1",
  "fileA",
  "file]",
  "abab",
];

/** The paths that git ignores with this .gitignore. */
function gitIgnores(text: string): string[] {
  writeFileSync(join(folder, ".gitignore"), text);
  const { stdout } = spawnSync("git", ["check-ignore", "-z", "--no-index", "--stdin"], {
    cwd: folder,
    input: PATHS.join("\0"),
    encoding: "utf8",
  });
  return stdout.split("\0").slice(0, -1);
}

describe("a .gitignore", () => {
  it.each([
    "*.log",
    "/a.log",
    "dist",
    "b/*.log",
    "b/**",
    "**/c",
    "src/**/c.ts",
    "x(1).ts",
    "{a}.ts",
    "a|b",
    "a\\*b",
    "file?",
    "file[0-9]",
    "file[!0-9]",
    "file[^0-9]",
    "*.log\n!b/a.log",
    "a*b*",
    "# comment\n\n  ",
    "src/*/b/*",
    "*",
  ])("the .gitignore pattern %j matches the files that git matches", (text) => {
    const scope = { folder: "", rules: parseIgnore(text), parent: undefined };
    const ours = PATHS.filter((path) => {
      const above = path.split("/").slice(0, -1);
      const folders = above.map((_, index) => above.slice(0, index + 1).join("/"));
      return folders.some((one) => isIgnored(scope, one, true)) || isIgnored(scope, path, false);
    });
    expect(ours).toEqual(gitIgnores(text));
  });

  it("a .gitignore pattern with 100 stars is matched without blocking", () => {
    const rules = parseIgnore(`${"*a".repeat(100)}b\n${"**/a/".repeat(60)}b`);
    const scope = { folder: "", rules, parent: undefined };
    expect(isIgnored(scope, "a".repeat(4_000), false)).toBe(false);
    expect(isIgnored(scope, "a/".repeat(1_000), true)).toBe(false);
  });
});
