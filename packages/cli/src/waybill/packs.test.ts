import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

const VIEW = ["run", "repo.view", "owner=octo", "name=hello"];

async function withEmbedded(): Promise<{
  world: World;
  github: GithubEmulator;
  env: Record<string, string>;
}> {
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  return { world, github, env: { ...world.env, WAYBILL_GITHUB: github.env } };
}

describe("the GitHub pack of the command", () => {
  it("WAYBILL_GITHUB makes a GitHub emulator answer, with a warning and without the real token", async () => {
    const { world, github } = await withEmbedded();
    const env = { ...world.env, WAYBILL_GITHUB: github.env, GITHUB_TOKEN: "a-real-one" };
    const ended = await world.run(VIEW, { env });
    expect(jsonOf(ended)).toMatchObject({
      ok: true,
      data: { nameWithOwner: "octo/hello" },
      meta: { warnings: [expect.stringContaining("embedded GitHub")] },
    });
    const sent = github.requests.map((request) => JSON.stringify(request));
    expect(sent.join()).not.toContain("a-real-one");
  });

  it("the error of a GitHub call without a token says to set GITHUB_TOKEN", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(VIEW);
    expect(ended.code).toBe(1);
    const { error } = jsonOf(ended);
    expect(error.code).toBe("AUTH");
    expect(error.message).toContain("set GITHUB_TOKEN");
  });

  it("the repository of a GitHub call comes from the checkout unless the call names one", async () => {
    const { world, env } = await withEmbedded();
    const PATH = process.env["PATH"] ?? "";
    const here = { env: { ...env, PATH } };
    execFileSync("git", ["init", "--quiet"], { cwd: world.project });
    const remote = ["remote", "add", "origin", "git@github.com:octo/hello.git"];
    execFileSync("git", remote, { cwd: world.project });
    expect(jsonOf(await world.run(["run", "repo.view"], here)).data).toMatchObject({
      nameWithOwner: "octo/hello",
    });
    const named = await world.run(["run", "repo.view", "repo=octo/atlas"], here);
    expect(jsonOf(named).data).toMatchObject({ nameWithOwner: "octo/atlas" });
  });

  it("raw GitHub operations are found and called, but not listed", async () => {
    const { world, env } = await withEmbedded();
    const found = await world.run(["capabilities", "search", "stargazers"], { env });
    expect(found.stdout).toContain("github.activity.list-stargazers-for-repo");
    const words = ["github.activity.list-stargazers-for-repo", "owner=octo", "repo=hello"];
    const ended = await world.run(["run", ...words, "--query", "[].login"], { env });
    expect(jsonOf(ended).data).toEqual(["octocat", "monalisa"]);
    const listed = await world.run(["capabilities", "list"], { env });
    expect(listed.stdout).toContain("repo.view");
    expect(listed.stdout).not.toContain("github.activity");
  });

  it("the GitHub pack can be switched off, and an untrusted project cannot redirect its calls", async () => {
    const { world, github } = await withEmbedded();
    await world.writeForeignConfig({ hosts: { github: github.url } });
    const untrusted = await world.run(VIEW);
    expect(untrusted.stderr).toContain("settings that need trust: hosts");
    expect(jsonOf(untrusted).ok).toBe(false);
    await world.run(["trust", join(world.project, "waybill.config.json")]);
    expect(jsonOf(await world.run(VIEW)).ok).toBe(true);
    await world.writeUserConfig({ packs: [] });
    expect(jsonOf(await world.run(VIEW)).error.code).toBe("NOT_FOUND");
  });
});
