import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { checkoutRepository } from "./checkout.ts";

const env = { PATH: process.env["PATH"] };

describe("repository of a checkout", () => {
  const folders: string[] = [];
  let folder = "";

  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "pipe" });
  const found = (host = "github.com") => checkoutRepository(folder, host, env);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waybill-checkout-"));
    folders.push(folder);
    git("init", "--quiet");
  });
  afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

  it.each([
    "https://github.com/octo/hello.git",
    "https://user:secret@github.com/octo/hello",
    "git@github.com:octo/hello.git",
    "ssh://git@github.com/octo/hello.git",
    "ssh://git@ssh.github.com:443/octo/hello.git",
    "git://github.com/octo/hello/",
  ])("the GitHub pack reads the default repository from the git remote %s", async (url) => {
    git("remote", "add", "origin", url);
    expect(await found()).toEqual({ host: "github.com", owner: "octo", name: "hello" });
  });

  it.each([
    "https://gitlab.com/octo/hello.git",
    "https://github.com.evil.example/octo/hello",
    "/srv/git/hello.git",
    "https://github.com/octo",
    "https://github.com/octo/hello/extra",
    "https://github.com/octo/%E0%A4%A",
  ])(
    "the GitHub pack ignores the git remote %s, which is not a repository on github.com",
    async (url) => {
      git("remote", "add", "origin", url);
      expect(await found()).toBeUndefined();
    },
  );

  it("the GitHub pack prefers the upstream remote of a fork as the default repository", async () => {
    git("remote", "add", "origin", "git@github.com:me/hello.git");
    git("remote", "add", "upstream", "git@github.com:octo/hello.git");
    expect(await found()).toMatchObject({ owner: "octo" });
  });

  it("the GitHub pack reads a changed git remote at once", async () => {
    git("remote", "add", "origin", "git@github.com:octo/old.git");
    expect(await found()).toMatchObject({ name: "old" });
    git("remote", "set-url", "origin", "git@github.com:octo/new.git");
    expect(await found()).toMatchObject({ name: "new" });
  });

  it("the GitHub pack finds no default repository outside a git checkout or for another host", async () => {
    expect(await checkoutRepository(tmpdir(), "github.com", env)).toBeUndefined();
    git("remote", "add", "origin", "git@github.com:octo/hello.git");
    expect(await found("ghe.example.com")).toBeUndefined();
  });
});
