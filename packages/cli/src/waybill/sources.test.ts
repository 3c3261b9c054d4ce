import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

const VIEW = ["run", "item.view", "id=3"];
const GH = `#!/bin/sh
case "$1" in
  --version) echo "gh version 2.60.0" ;;
  auth) echo token ;;
  *) printf 'HTTP/2.0 200 OK\\r\\nContent-Type: application/json\\r\\n\\r\\n{"id": 3, "title": "by gh"}' ;;
esac
`;

describe("the configured sources", () => {
  it("a broken source or card does not affect the others", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/cards/broken.yaml", "capability_id: broken\n");
    const sources = { demo: world.source(), gone: { kind: "cards", folder: "gone" } };
    await world.writeConfig({ sources });
    expect((await world.run(VIEW)).code).toBe(0);
    const { stderr } = await world.run(["capabilities", "list"]);
    expect(stderr).toContain("waybill: warning: source demo: broken.yaml");
    expect(stderr).toContain("waybill: warning: Sources that could not be searched: gone");
  });

  it("an id that two sources provide belongs to the first source", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ sources: { one: world.source(), two: world.source() } });
    expect((await world.run(VIEW)).code).toBe(0);
    const { stdout } = await world.run(["capabilities", "explain", "two.item.view"]);
    expect(stdout).toContain("two calls it item.view, but one already has that id");
  });

  it("a malformed configuration stops the command", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ policy: { read_onli: true } });
    const ended = await world.run(VIEW);
    expect(ended.code).toBe(2);
    expect(jsonOf(ended).error).toMatchObject({
      code: "VALIDATION",
      details: { issues: [{ path: "/policy/read_onli", did_you_mean: "read_only" }] },
    });
    expect(jsonOf(ended).error.message).toContain(world.configPath);
  });

  it("the policy of user and project limits what can be called", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({ policy: { allow: ["item.*"], confirm: "none" } });
    await world.writeConfig({ sources: { demo: world.source() }, policy: { deny: ["item.list"] } });
    expect(jsonOf(await world.run(["run", "item.list"])).error.code).toBe("POLICY");
    expect((await world.run(["run", "item.delete", "id=1"])).code).toBe(0);
    await world.writeConfig({ sources: { demo: world.source() }, policy: { read_only: true } });
    expect(jsonOf(await world.run(["run", "item.create", "title=a"])).error.code).toBe("POLICY");
  });

  it("the token of a source is not sent to another host", async () => {
    const world = await makeWorld(onTestFinished);
    const bound = world.source({ token: { env: "T" }, host: "a.example" });
    await world.writeConfig({ sources: { demo: bound } });
    await world.run(["trust"]);
    const ended = await world.run(VIEW, { env: { ...world.env, T: "very-secret-token" } });
    expect(jsonOf(ended).error.code).toBe("AUTH");
    expect(JSON.stringify(jsonOf(ended).meta["attempts"])).toContain("HOST_MISMATCH");
    expect(world.upstream.seen).toEqual([]);
  });

  it("a call whose token is missing returns AUTH", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ sources: { demo: world.source({ token: { env: "T" } }) } });
    await world.run(["trust"]);
    expect(jsonOf(await world.run(VIEW)).error.code).toBe("AUTH");
  });

  it("a trusted source can use gh as its only route", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("bin/gh", GH, 0o755);
    const { rest: _, ...bare } = world.source({ cli: {} }) as Record<string, unknown>;
    await world.writeForeignConfig({ sources: { demo: bare } });
    expect((await world.run(VIEW)).code).toBe(1);
    await world.run(["trust"]);
    const env = { ...world.env, PATH: `${join(world.folder, "bin")}:/usr/bin:/bin` };
    const ended = jsonOf(await world.run(VIEW, { env }));
    expect(ended).toMatchObject({
      ok: true,
      data: { title: "by gh" },
      meta: { route_used: "cli" },
    });
  });

  it("a keyed write and an approval are refused if the state folder cannot be written", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({
      sources: { own: world.source({ folder: join(world.project, "cards") }) },
    });
    await world.writeForeignConfig({});
    await rm(world.state, { recursive: true });
    await world.write("home/.local/state/waybill", "a file where a folder should be");
    const keyed = await world.run(["run", "item.create", "title=a", "--idempotency-key", "k"]);
    expect(jsonOf(keyed).error.code).toBe("NOT_READY");
    expect(jsonOf(await world.run(["run", "item.delete", "id=1"])).error.code).toBe("NOT_READY");
    expect(world.upstream.seen).toEqual([]);
    expect((await world.run(["run", "item.create", "title=a"])).code).toBe(0);
  });

  it("an approval is refused if the stored approvals cannot be read", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("home/.local/state/waybill/approvals.db", "no database".repeat(1_000));
    const refused = jsonOf(await world.run(["run", "item.delete", "id=1"])).error;
    expect(refused).toMatchObject({ code: "NOT_READY" });
  });
});
