import { join } from "node:path";
import { parseBriefChain } from "@waybill/core/protocol";
import { openHistory } from "@waybill/state";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChainResult } from "@waybill/core";
import { makeWorld } from "../fixtures/world.ts";
import type { Ended } from "../fixtures/world.ts";

function getChain({ stdout }: Ended): ChainResult {
  return JSON.parse(stdout) as ChainResult;
}

const GOOD = [
  { id: "made", task: "item.create", input: { title: "a" } },
  { task: "item.view", input: { id: { $from: "made.data.id" } } },
];

describe("waybill chain", () => {
  it.each([
    ["JSON", JSON.stringify(GOOD), undefined],
    ["stdin", "-", JSON.stringify(GOOD)],
    ["a file", "@steps.json", undefined],
  ])("waybill chain takes its steps from %s", async (_name, steps, input) => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/steps.json", GOOD);
    const ended = await world.run(
      ["chain", "--steps", steps],
      input === undefined ? {} : { input },
    );
    expect(ended.code).toBe(0);
    expect(getChain(ended).status).toBe("success");
    expect(getChain(ended).results[1]?.data).toMatchObject({ id: 1 });
    expect(ended.stdout.split("\n")).toHaveLength(2);
  });

  it("waybill chain --record stores the chain with its steps in the history", async () => {
    const world = await makeWorld(onTestFinished);
    await world.run(["chain", "--steps", JSON.stringify(GOOD), "--record"]);
    const history = openHistory({
      path: join(world.state, "history.db"),
      redact: (value) => value,
    });
    onTestFinished(() => history.close());
    const { calls } = await history.calls();
    expect(calls.map(({ kind, capability_id }) => [kind, capability_id])).toEqual([
      ["chain", "chain"],
      ["step", "item.view"],
      ["step", "item.create"],
    ]);
  });

  it("waybill chain --trace adds the attempts and times of each step", async () => {
    const world = await makeWorld(onTestFinished);
    const steps = JSON.stringify(GOOD);
    const plain = getChain(await world.run(["chain", "--steps", steps]));
    expect(plain.results.map(({ meta }) => meta.timings)).toEqual([undefined, undefined]);
    const { results } = getChain(await world.run(["chain", "--steps", steps, "--trace"]));
    expect(results.map(({ meta }) => typeof meta.timings?.total_ms)).toEqual(["number", "number"]);
  });

  it("waybill chain --deadline-ms limits the time of all steps together", async () => {
    const world = await makeWorld(onTestFinished);
    const words = ["chain", "--steps", '[{"task":"item.wait","input":{}}]', "--deadline-ms"];
    const late = await world.run([...words, "50"]);
    expect([late.code, late.stdout]).toEqual([1, expect.stringContaining('"code":"TIMEOUT"')]);
    const wrong = await world.run([...words, "soon"]);
    expect([wrong.code, wrong.stdout]).toEqual([2, expect.stringContaining("--deadline-ms")]);
  });

  it("waybill chain exits with 1 if a step failed", async () => {
    const world = await makeWorld(onTestFinished);
    const steps = JSON.stringify([{ task: "item.view", input: { id: 404 } }, ...GOOD]);
    const ended = await world.run(["chain", "--steps", steps]);
    expect([ended.code, getChain(ended).status]).toEqual([1, "partial"]);
    const stopped = await world.run(["chain", "--steps", steps, "--on-error", "stop"]);
    expect(stopped.code).toBe(1);
  });

  it("waybill chain --brief prints the brief text of each step", async () => {
    const world = await makeWorld(onTestFinished);
    const [made, viewed] = GOOD;
    const steps = [
      { ...made, select: ["id"] },
      { ...viewed, input: { ...viewed!.input, full: true }, select: ["id"] },
    ];
    const good = await world.run(["chain", "--brief", "--steps", JSON.stringify(steps)]);
    expect([good.code, good.stdout]).toEqual([0, '{"id":1}\n--\n{"id":1}\n']);
    const some = JSON.stringify([{ task: "item.view", input: { id: 404 } }, ...steps]);
    const partial = await world.run(["chain", "--brief", "--steps", some]);
    expect([partial.code, parseBriefChain(partial.stdout)]).toMatchObject([
      1,
      {
        ok: false,
        error: { code: "NOT_FOUND", message: "1 of 3 steps failed" },
        results: [{ error: { code: "NOT_FOUND" } }, { data: { id: 2 } }, { data: { id: 2 } }],
      },
    ]);
    const { stdout } = await world.run(["chain", "--brief", "--steps", "3"]);
    expect(stdout).toMatch(/^!VALIDATION [^\n]+\n$/u);
  });

  it.each([
    ["an unknown task", [{ task: "no.such" }]],
    ["a step that is not an object", [3]],
    ["no steps", []],
    [
      "a cycle of steps",
      [
        { id: "a", task: "item.view", input: { id: { $from: "b.data.id" } } },
        { id: "b", task: "item.view", input: { id: { $from: "a.data.id" } } },
      ],
    ],
    ["101 steps", Array.from({ length: 101 }, () => ({ task: "item.list" }))],
  ])("waybill chain exits with 1 and sends nothing for %s", async (_name, steps) => {
    const world = await makeWorld(onTestFinished);
    const ended = await world.run(["chain", "--steps", JSON.stringify(steps)]);
    expect([ended.code, getChain(ended).status]).toEqual([1, "failed"]);
    expect(world.upstream.seen).toEqual([]);
  });

  it("waybill chain --dry-run sends nothing", async () => {
    const world = await makeWorld(onTestFinished);
    const steps = JSON.stringify([{ task: "item.create", input: { title: "a" } }]);
    const ended = await world.run(["chain", "--steps", steps, "--dry-run", "--merge-writes"]);
    expect(getChain(ended).results[0]?.data).toHaveProperty("requests");
    expect(world.upstream.seen).toEqual([]);
  });

  it("waybill chain --idempotency-key makes each write once", async () => {
    const world = await makeWorld(onTestFinished);
    const argv = ["chain", "--steps", JSON.stringify(GOOD), "--idempotency-key", "k"];
    await world.run(argv);
    const again = getChain(await world.run(argv));
    expect(again.results[0]?.meta.replayed).toBe(true);
    expect(world.upstream.seen.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("waybill chain --pretty indents the JSON, and a terminal shows a tree", async () => {
    const world = await makeWorld(onTestFinished);
    const steps = JSON.stringify(GOOD);
    const pretty = await world.run(["chain", "--steps", steps, "--pretty"]);
    const shown = await world.run(["chain", "--steps", steps], { isTTY: true });
    expect(pretty.stdout).toMatch(/^\{\n {2}"status"/);
    expect(shown.stdout).toContain("ok");
    expect(shown.stdout).not.toContain("{");
  });
});
