import { execFile } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { sharedBundle } from "../../../../test/support/shared-bundle.ts";
import { git, temporaryTree, writeTree } from "../build/testing/temporary-tree.ts";
import { headRev } from "./read-git-files.ts";
import { runGit } from "./run.ts";

function commit(root: string): void {
  git(root, "add", ".");
  git(root, "commit", "-qm", "one");
}

/** A program that writes a file when it is run. */
function trapIn(root: string): { readonly program: string; readonly marker: string } {
  const marker = join(root, "ran");
  const program = join(root, "evil.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 });
  return { program, marker };
}

describe("git", () => {
  it("the code graph's git calls run no program that the configuration of the repository names", async () => {
    const root = temporaryTree({ "a.ts": "one", ".gitattributes": "* filter=evil diff=evil\n" });
    git(root, "init", "-q");
    commit(root);
    const { program, marker } = trapIn(root);
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

  it("the code graph's git calls run no program that the configuration of a nested repository names", async () => {
    const root = temporaryTree({ "inner/a.ts": "one", "inner/.gitattributes": "* filter=evil\n" });
    const inner = join(root, "inner");
    for (const folder of [inner, root]) {
      git(folder, "init", "-q");
      commit(folder);
    }
    const { program, marker } = trapIn(root);
    git(inner, "config", "filter.evil.clean", program);
    writeTree(root, { "inner/a.ts": "two" });
    expect(await runGit(["diff", "--raw", "HEAD"], { cwd: root })).toBe("");
    expect(existsSync(marker)).toBe(false);
    git(root, "diff", "--raw", "HEAD");
    expect(existsSync(marker)).toBe(true);
  });

  it("the code graph's git calls do not fetch a missing object, which would run a program", async () => {
    const root = temporaryTree({ "a.ts": "one" });
    git(root, "init", "-q");
    commit(root);
    const { program, marker } = trapIn(root);
    const blob = git(root, "rev-parse", "HEAD:a.ts").trim();
    rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    const remote = { url: "/nowhere", promisor: "true", uploadpack: program };
    for (const [key, value] of Object.entries(remote)) {
      git(root, "config", `remote.origin.${key}`, value);
    }
    git(root, "config", "extensions.partialClone", "origin");
    git(root, "config", "core.repositoryFormatVersion", "1");
    expect(await runGit(["cat-file", "blob", blob], { cwd: root })).toBe(undefined);
    expect(existsSync(marker)).toBe(false);
  });

  it("a git call does not keep the process alive when git is not installed", async () => {
    const own = JSON.stringify(await sharedBundle(new URL("./run.ts", import.meta.url)));
    const code = `const { runGit } = await import(${own}); console.log(await runGit(["version"], { cwd: "." }));`;
    const flags = ["--input-type=module", "--eval", code];
    const options = { env: { PATH: temporaryTree({}) }, timeout: 120_000 };
    const { stdout } = await promisify(execFile)(process.execPath, flags, options);
    expect(stdout).toBe("undefined\n");
  });

  it("headRev returns undefined without a repository and before the first commit", async () => {
    const root = temporaryTree({ "a.ts": "" });
    expect(await headRev({ cwd: root })).toBe(undefined);
    git(root, "init", "-q");
    expect(await headRev({ cwd: root })).toBe(undefined);
    git(root, "add", ".");
    git(root, "commit", "-qm", "one");
    expect(await headRev({ cwd: root })).toMatch(/^[0-9a-f]{40}$/);
  });
});
