import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

const DELETE = ["run", "item.delete", "id=1"];

describe("waybill approvals", () => {
  it("waybill approvals shows a waiting call and lets a person allow it once", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeUserConfig({ policy: { approvals: "person" } });
    const refused = jsonOf(await world.run(DELETE)).error;
    expect(refused.details).not.toHaveProperty("approve");
    const id = String(refused.details["approval"]);
    expect(refused.details["hint"]).toContain(`waybill approvals allow ${id}`);
    const { stdout } = await world.run(["approvals"]);
    expect(stdout).toBe(`${id} waiting item.delete {"id":1}\n`);
    const allowed = await world.run(["approvals", "allow", id], { isTTY: true, input: "y\n" });
    expect(allowed.stderr).toContain('Allow item.delete with {"id":1}? [y/N]');
    expect(jsonOf(await world.run(DELETE)).ok).toBe(true);
    expect(jsonOf(await world.run(DELETE)).error.code).toBe("POLICY");
  });

  it("an approval needs a terminal, so that an agent cannot answer for a person", async () => {
    const world = await makeWorld(onTestFinished);
    const id = String(jsonOf(await world.run(DELETE)).error.details["approval"]);
    const { code, stdout } = await world.run(["approvals", "allow", id], { input: "y\n" });
    expect(code).toBe(2);
    expect(stdout).toContain("Approvals need a terminal");
    expect(jsonOf(await world.run(DELETE)).error.code).toBe("POLICY");
  });

  it("a person can deny a call, and any answer but yes leaves the call waiting", async () => {
    const world = await makeWorld(onTestFinished);
    const refused = jsonOf(await world.run(DELETE)).error.details;
    const id = String(refused["approval"]);
    const unsure = await world.run(["approvals", "allow", id], { isTTY: true, input: "\n" });
    expect([unsure.code, unsure.stdout]).toEqual([1, `${id} is still waiting\n`]);
    expect((await world.run(["approvals", "deny", id])).stdout).toBe(`denied ${id}\n`);
    expect((await world.run(["approvals", "--json"])).stdout).toBe("[]\n");
    const late = await world.run([...DELETE, "--approve", String(refused["approve"])]);
    expect(jsonOf(late).error.code).toBe("POLICY");
  });

  it("waybill approvals reports an unknown action and an unknown id", async () => {
    const world = await makeWorld(onTestFinished);
    expect((await world.run(["approvals", "alow", "x"])).stdout).toContain("allow");
    expect((await world.run(["approvals", "deny", "ap_1"])).stdout).toContain(
      "No call waits with the id ap_1",
    );
    expect((await world.run(["approvals"])).stderr).toContain("no call waits for an approval");
  });
});
