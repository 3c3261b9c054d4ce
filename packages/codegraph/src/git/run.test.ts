import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { sharedBundle } from "../../../../test/support/shared-bundle.ts";
import { git, temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { headRev } from "./rev.ts";
import { runGit } from "./run.ts";

describe("git", () => {
  it("runs no program that the repository names", async () => {
    const root = temporaryTree({ "a.ts": "one", ".gitattributes": "* filter=evil diff=evil\n" });
    git(root, "init", "-q");
    git(root, "add", ".");
    git(root, "commit", "-qm", "one");
    const marker = join(root, "ran");
    const program = join(root, "evil.sh");
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 });
    for (const key of ["filter.evil.clean", "filter.evil.process", "core.fsmonitor"]) {
      git(root, "config", key, program);
    }
    git(root, "config", "diff.evil.command", program);
    git(root, "config", "filter.evil.required", "true");
    writeTree(root, { "a.ts": "two" });
    const changed = await runGit(["diff", "--no-ext-diff", "--name-only"], { cwd: root });
    expect(changed).toBe("a.ts\n");
    expect(existsSync(marker)).toBe(false);
  });

  it("does not keep a program alive that cannot find it", async () => {
    const own = JSON.stringify(await sharedBundle(new URL("./run.ts", import.meta.url)));
    const code = `const { runGit } = await import(${own}); console.log(await runGit(["version"], { cwd: "." }));`;
    const flags = ["--input-type=module", "--eval", code];
    const options = { env: { PATH: temporaryTree({}) }, timeout: 120_000 };
    const { stdout } = await promisify(execFile)(process.execPath, flags, options);
    expect(stdout).toBe("undefined\n");
  });

  it("knows no commit where there is none", async () => {
    const root = temporaryTree({ "a.ts": "" });
    expect(await headRev({ cwd: root })).toBe(undefined);
    git(root, "init", "-q");
    expect(await headRev({ cwd: root })).toBe(undefined);
    git(root, "add", ".");
    git(root, "commit", "-qm", "one");
    expect(await headRev({ cwd: root })).toMatch(/^[0-9a-f]{40}$/);
  });
});
