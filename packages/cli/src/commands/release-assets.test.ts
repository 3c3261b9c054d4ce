import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGithubEmulator } from "@waybill/github/emulator";
import type { GithubEmulator } from "@waybill/github/emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

const BYTES = Buffer.from([0x1f, 0x8b, 0, 255, 254, 10, 13, 0]);

interface Opened {
  readonly world: World;
  readonly github: GithubEmulator;
  readonly run: (...words: string[]) => Promise<ReturnType<typeof jsonOf>>;
}

async function open(): Promise<Opened> {
  const world = await makeWorld(onTestFinished);
  const github = await startGithubEmulator();
  onTestFinished(() => github.close());
  await writeFile(join(world.project, "hello.tgz"), BYTES);
  await writeFile(join(world.project, "notes.md"), "# Notes\n");
  const env = { ...world.env, WAYBILL_GITHUB: github.env };
  return {
    world,
    github,
    async run(...words) {
      return jsonOf(await world.run(["run", ...words], { env }));
    },
  };
}

describe("release assets", () => {
  it("a release asset is uploaded from a file and downloaded to a file, byte for byte", async () => {
    const { world, run } = await open();
    const made = await run("release.upload", "v1.0.0", "repo=octo/hello", "file=@hello.tgz");
    expect(made.data).toMatchObject({ name: "hello.tgz", size: BYTES.length });
    const words = ["release.download", "v1.0.0", "repo=octo/hello", "asset=hello.tgz"];
    const { data } = await run(...words, "--save", "copy.tgz");
    expect(data).toMatchObject({ filename: "hello.tgz", content_type: "application/gzip" });
    expect(await readFile(join(world.project, "copy.tgz"))).toEqual(BYTES);
  });

  it("waybill run --save prints the answer even if the file cannot be written", async () => {
    const { world, github, run } = await open();
    await run("release.upload", "v1.0.0", "repo=octo/hello", "file=@hello.tgz");
    const words = ["release.download", "v1.0.0", "repo=octo/hello", "asset=hello.tgz"];
    const env = { ...world.env, WAYBILL_GITHUB: github.env };
    const ended = await world.run(["run", ...words, "--save", "no/such/folder.tgz"], { env });
    expect(jsonOf(ended)).toMatchObject({ ok: true, data: { filename: "hello.tgz" } });
    expect(ended.stderr).toContain("no/such/folder.tgz cannot be written");
  });

  it("waybill run --save sends nothing if the file would be written through a link out of the folder", async () => {
    const { world, github, run } = await open();
    await symlink(join(world.folder, "own.txt"), join(world.project, "copy.tgz"));
    const words = ["issue.create", "octo/hello", "title=T", "--save", "copy.tgz"];
    expect((await run(...words)).error.message).toContain("leads out of this folder");
    expect(github.applied()).toEqual({});
  });

  it("the raw GitHub operation for release assets uploads an asset", async () => {
    const { run } = await open();
    const { data } = await run("release.view", "v1.0.0", "repo=octo/hello");
    const words = ["repo=octo/hello", `release_id=${String(data["id"])}`, "name=a.tgz"];
    const made = await run("github.repos.upload-release-asset", ...words, "body=@hello.tgz");
    expect(made.data).toMatchObject({ name: "a.tgz", size: BYTES.length });
  });

  it("a release asset is found after an upload whose response was lost", async () => {
    const { github, run } = await open();
    github.faults.inject({ kind: "drop", when: "after", match: { method: "POST" } });
    const made = await run("release.upload", "v1.0.0", "repo=octo/hello", "file=@notes.md");
    expect(made.data).toMatchObject({ name: "notes.md", size: 8 });
    expect(github.applied()).toEqual({ uploadAsset: 1 });
  });

  it("the error for a missing release asset lists the assets of the release", async () => {
    const { run } = await open();
    const words = ["release.download", "v1.0.0", "repo=octo/hello", "asset=none.zip"];
    expect((await run(...words)).error.message).toContain("it has hello-1.0.0.tgz");
  });
});

describe("inputs that begin with @", () => {
  it("an input @file of waybill run is the content of the file", async () => {
    const { github, run } = await open();
    await run("issue.create", "octo/hello", "title=T", "body=@notes.md");
    expect(JSON.stringify((await run("issue.view", "octo/hello#13")).data)).toContain("# Notes");
    expect(github.applied()).toEqual({ createIssue: 1 });
  });

  it("an input @file of waybill run for a missing file is an error, and nothing is sent", async () => {
    const { github, run } = await open();
    const { error } = await run("issue.create", "octo/hello", "title=T", "body=@other.md");
    expect(error.message).toContain("there is no file other.md");
    expect(github.applied()).toEqual({});
  });

  it.each(["@monalisa please", "@me", "@octo/team", "@@notes.md"])(
    "waybill run treats the input %s as plain text, not as a file",
    async (text) => {
      const { run } = await open();
      await run("issue.create", "octo/hello", "title=T", `body=${text}`);
      const { data } = await run("issue.view", "octo/hello#13");
      expect(data["body"]).toBe(text.replace("@@", "@"));
    },
  );
});
