import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "./fixtures/world.ts";

describe("--config", () => {
  it("--config names the configuration file of any command, from another folder", async () => {
    const world = await makeWorld(onTestFinished);
    const elsewhere = { cwd: world.folder };
    const without = await world.run(["source", "list"], elsewhere);
    expect(without.stdout).not.toContain("demo");
    const given = ["--config", join("project", "waybill.config.json")];
    const listed = await world.run(["source", "list", ...given], elsewhere);
    expect(listed.stdout).toContain("demo");
  });

  it("--config refuses a file that does not exist", async () => {
    const world = await makeWorld(onTestFinished);
    const { stdout, code } = await world.run(["source", "list", "--config", "none.json"]);
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining("There is no configuration file none.json"),
    ]);
  });
});

describe("unknown ids", () => {
  it("the error for an unknown id names the configuration file that was read", async () => {
    const world = await makeWorld(onTestFinished);
    const known = jsonOf(await world.run(["run", "demo.nothing"]));
    expect(known.error.details["hint"]).toContain(world.configPath);
    const none = jsonOf(await world.run(["run", "demo.nothing"], { cwd: world.folder }));
    expect(none.error.details["hint"]).toContain("--config FILE");
  });
});

describe("waybill run", () => {
  it("waybill run accepts --params as another name of --input", async () => {
    const world = await makeWorld(onTestFinished);
    const [first, second] = await Promise.all(
      ["--params", "--input"].map((option) =>
        world.run(["run", "result.read", option, '{"handle":"r_1"}']),
      ),
    );
    expect(jsonOf(first!).error.message).toBe(jsonOf(second!).error.message);
    expect(jsonOf(first!).error.code).toBe("NOT_FOUND");
  });

  it("waybill run --save writes the text of a result to a file", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/tool.json", {
      program: process.execPath,
      operations: {
        say: { description: "Says hello", effect: "read", argv: ["-e", "console.log('hello')"] },
      },
    });
    const added = await world.run(["source", "add", "command", "tool.json", "--name", "tool"]);
    expect(added.stdout).toContain("added tool");
    const { stderr } = await world.run(["run", "tool.say", "--save", "out.txt"]);
    expect(stderr).toContain("to out.txt");
    expect(await readFile(join(world.project, "out.txt"), "utf8")).toContain("hello");
  });
});
