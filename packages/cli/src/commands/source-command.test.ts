import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptyWorld } from "../fixtures/sources.ts";
import type { World } from "../fixtures/world.ts";

const PROGRAM = `#!/bin/sh
if [ "$1" = --help ]; then
  echo "Commands:"
  echo "  list    List the entries"
  echo "  clean   Remove all entries"
elif [ "$2" = --help ]; then
  echo "  --reverse   The oldest first"
else
  echo "$@"
fi
`;

async function programWorld(): Promise<World> {
  const world = await emptyWorld(onTestFinished);
  await world.write("bin/tally", PROGRAM, 0o755);
  return world;
}

describe("waybill source add command NAME", () => {
  it("source add command proposes operations of a program, which can be called once the user confirms them", async () => {
    const world = await programWorld();
    const env = { ...world.env, PATH: `${world.env["PATH"]}:${process.env["PATH"]}` };
    const added = await world.run(["source", "add", "command", "tally"], { env });
    expect(added.stdout).toContain("added tally (command): 2 operations");
    expect(added.stdout).toContain("guesses from tally --help: check tally.manifest.yaml");

    const refused = await world.run(["run", "tally.list"], { env });
    expect(refused.stdout).toContain("was guessed from tally --help");

    const file = join(world.project, "tally.manifest.yaml");
    const proposed = await readFile(file, "utf8");
    await writeFile(file, proposed.replace("    guess: true\n", ""));
    await world.run(["trust", "--source", "tally"], { env });
    const called = await world.run(["run", "tally.list", "reverse=true"], { env });
    expect(JSON.parse(called.stdout)).toMatchObject({ ok: true, data: "list --reverse\n" });
    const other = await world.run(["run", "tally.clean"], { env });
    expect(other.stdout).toContain("was guessed from tally --help");
  });

  it("source add command does not overwrite a manifest", async () => {
    const world = await programWorld();
    const env = { ...world.env, PATH: `${world.env["PATH"]}:${process.env["PATH"]}` };
    await world.write("project/tally.manifest.yaml", "program: tally\n");
    const { code, stdout } = await world.run(["source", "add", "command", "tally"], { env });
    expect(code).toBe(2);
    expect(stdout).toContain("waybill source add command tally.manifest.yaml");
  });

  it("source add command reports a word that is neither a file nor a program", async () => {
    const world = await programWorld();
    const { code, stdout } = await world.run(["source", "add", "command", "talley"]);
    expect(code).toBe(2);
    expect(stdout).toContain("no file and no program called talley");
  });
});
