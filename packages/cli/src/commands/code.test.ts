import { join } from "node:path";
import { openHistory } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, makeWorld } from "../fixtures/world.ts";

const PROGRAM = `const made = await item.create({ title: "a" });
return (await item.view(made.id)).title`;

describe("waybill code", () => {
  it.each([
    ["the command line", PROGRAM, undefined],
    ["stdin", "-", PROGRAM],
    ["a file", "@program.ts", undefined],
  ])("waybill code takes its program from %s", async (_name, program, input) => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/program.ts", PROGRAM);
    const ended = await world.run(["code", program], input === undefined ? {} : { input });
    expect(ended.code).toBe(0);
    expect(jsonOf(ended)).toMatchObject({
      ok: true,
      data: { value: expect.any(String) as string },
    });
  });

  it("waybill code --brief prints the returned value and the logs", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["code", "--brief", 'console.log("seen"); return [1, 2]']);
    expect([ended.code, ended.stdout]).toEqual([0, '[1,2]\n\nlogs: ["seen"]\n']);
  });

  it("waybill code exits with 1 for a failed program and names the line", async () => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["code", 'await item.vew("1")']);
    expect(ended.code).toBe(1);
    expect(jsonOf(ended).error).toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining("Line 1: There is no capability item.vew") as string,
      details: { did_you_mean: expect.arrayContaining(["item.view"]) as string[] },
    });
  });

  it("waybill code --idempotency-key repeats a run in another process without writing a second time", async () => {
    const world = await makeWorld(onTestFinished);
    const words = ["code", PROGRAM, "--idempotency-key", "k"];
    const first = await world.run(words);
    const again = await world.run(words);
    expect(jsonOf(again).data).toEqual(jsonOf(first).data);
    const without = await world.run(["code", "--idempotency-key", "k"]);
    expect(jsonOf(without).data).toEqual(jsonOf(first).data);
    const other = await world.run(["code", "return 1", "--idempotency-key", "k"]);
    expect(jsonOf(other).error.code).toBe("CONFLICT");
    expect(world.upstream.seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("waybill code --record stores a program with its calls in the history", async () => {
    const world = await makeWorld(onTestFinished);
    await world.run(["code", PROGRAM, "--record"]);
    const path = join(world.state, "history.db");
    const history = openHistory({ path, redact: (value) => value });
    onTestFinished(() => history.close());
    const { calls } = await history.calls();
    expect(calls.map(({ kind, capability_id, via }) => [kind, capability_id, via])).toEqual([
      ["code", "code.run", "code"],
      ["call", "item.view", "code"],
      ["call", "item.create", "code"],
    ]);
    const kept = await history.call(calls[0]!.request_id);
    expect(kept?.params).toEqual({ code: PROGRAM });
    expect(kept?.children.map(({ capability_id }) => capability_id)).toEqual([
      "item.create",
      "item.view",
    ]);
  });

  it("waybill code finds a capability whose id the program puts together from variables", async () => {
    const world = await makeWorld(onTestFinished);
    const program = "const [thing] = [item]; return (await thing.view({ id: 3 })).id";
    expect(jsonOf(await world.run(["code", program])).data).toMatchObject({ value: 3 });
  });

  it("waybill code --dry-run shows what a program would write", async () => {
    const world = await makeWorld(onTestFinished);
    const program = 'for (const title of ["a", "b"]) await item.create({ title })';
    const ended = await world.run(["code", "--dry-run", program]);
    expect(jsonOf(ended).data).toMatchObject({
      waiting: [{ capability_id: "item.create", count: 2 }],
    });
    expect(world.upstream.seen).toEqual([]);
  });

  it.each([
    [["code"], "waybill code needs a program"],
    [["code", "return", "1"], "takes one program"],
    [["code", "@nothing.js"], "cannot be read"],
    [["code", "return 1", "--deadline-ms", "x"], "--deadline-ms"],
  ])("waybill code refuses the command line %j", async (words, message) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(words);
    expect(jsonOf(ended).error).toMatchObject({ code: "VALIDATION" });
    expect(jsonOf(ended).error.message).toContain(message);
  });
});
