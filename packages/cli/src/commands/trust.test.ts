import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

async function worldWithToken(): Promise<World> {
  const world = await makeWorld(onTestFinished);
  world.env["DEMO"] = "very-secret-token";
  const demo = world.source({ token: { env: "DEMO" }, cli: {} });
  await world.writeForeignConfig({ sources: { demo } });
  return world;
}

const VIEW = ["run", "item.view", "id=3"];

describe("waybill trust", () => {
  it("waybill trust lets a project's file use a token until the file changes", async () => {
    const world = await worldWithToken();
    const before = await world.run(VIEW);
    expect(jsonOf(before).error.code).toBe("POLICY");
    expect(jsonOf(before).error.details["hint"]).toContain(`waybill trust ${world.configPath}`);
    expect(before.stderr).toContain("sources that need trust: demo;");
    expect(before.stderr).toContain(`waybill trust ${world.configPath}`);
    const { code, stdout } = await world.run(["trust"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`trusted ${world.configPath}\nsha256 `);
    expect((await world.run(VIEW)).stderr).toBe("");
    await writeFile(
      world.configPath,
      ` ${JSON.stringify({ sources: { demo: world.source({ token: { env: "DEMO" } }) } })}`,
    );
    expect((await world.run(VIEW)).stderr).toContain("need trust");
    const sent = world.upstream.seen.map(({ authorization }) => authorization);
    expect(sent).toEqual(["Bearer very-secret-token"]);
  });

  it("the address of a source cannot forge or hide what waybill trust prints", async () => {
    const world = await makeWorld(onTestFinished);
    const args = ["-y", "good\n  other mcp https://good.example\u202e", "bad"];
    await world.writeForeignConfig({ sources: { tools: { kind: "mcp", command: "npx", args } } });
    const { stdout } = await world.run(["trust"]);
    expect(stdout.split("\n").slice(2)).toEqual([
      "  tools mcp npx -y good other mcp https://good.example bad",
      "",
    ]);
  });

  it("trust records are readable by their user only", async () => {
    const world = await worldWithToken();
    await world.run(["trust", "waybill.config.json"]);
    const [record] = await readdir(join(world.state, "trust"));
    expect((await stat(join(world.state, "trust", record!))).mode & 0o777).toBe(0o600);
    expect((await stat(join(world.state, "trust"))).mode & 0o777).toBe(0o700);
  });

  it("the trust of a configuration file does not apply to a copy of the file in another folder", async () => {
    const world = await worldWithToken();
    await world.run(["trust"]);
    const config = { sources: { demo: world.source({ token: { env: "DEMO" }, cli: {} }) } };
    await world.write("elsewhere/waybill.config.json", config);
    const { stderr } = await world.run(["capabilities", "list"], {
      cwd: join(world.folder, "elsewhere"),
    });
    expect(stderr).toContain("need trust");
  });

  it("a project's configuration cannot make itself trusted by setting its own state folder", async () => {
    const world = await worldWithToken();
    await world.writeForeignConfig({
      state: "state",
      sources: { demo: world.source({ token: { env: "DEMO" } }) },
    });
    const { stderr } = await world.run(VIEW);
    expect(stderr).toContain("sources that need trust: demo;");
    expect(stderr).toContain("settings that need trust: state;");
  });

  it("waybill trust says that nothing in the file needs trust", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeForeignConfig({ policy: { read_only: true } });
    expect((await world.run(["trust"])).stdout).toContain("nothing needs trust here");
  });

  it("waybill trust refuses a malformed file and a missing file", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ sorces: {} });
    const { code, stdout } = await world.run(["trust"]);
    expect(code).toBe(2);
    expect(stdout).toContain("/sorces is not a known name here; did you mean sources?");
    const none = await world.run(["trust"], { cwd: world.folder });
    expect([none.code, none.stdout.includes("There is no waybill.config.json")]).toEqual([2, true]);
  });
});
