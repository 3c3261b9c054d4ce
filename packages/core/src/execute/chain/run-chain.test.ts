import { describe, expect, it } from "vitest";
import { fail, failureResult, successResult } from "../../envelope/index.ts";
import { runChain } from "./run-chain.ts";
import type { ChainTasks, ReadyStep } from "./chain-calls.ts";
import type { ChainStep } from "../../cards/index.ts";

/** Tasks that return their input. `*.fail` fails, and `*.write` is a write. */
function answering(log: string[][] = []): ChainTasks {
  return {
    begin: async () => {},
    requestId: "chain-1",
    facts({ task }) {
      if (!task.includes(".")) throw fail("NOT_FOUND", `no ${task}`, { outcome: "not_applied" });
      return { isWrite: task.endsWith(".write"), source: task.split(".")[0]! };
    },
    check: async () => {},
    checkReference: () => {},
    withEarlier: async (_step, error) => error,
    async run(steps: readonly ReadyStep[]) {
      log.push(steps.map(({ step }) => step.id));
      return steps.map(({ step, input }) =>
        step.task.endsWith(".fail")
          ? failureResult(
              { code: "CONFLICT", message: "no", retryable: false },
              { capability_id: step.task },
            )
          : successResult(input, { capability_id: step.task }),
      );
    },
  };
}

const dataOf = async (steps: ChainStep[], log?: string[][]) =>
  (await runChain(steps, answering(log))).results.map(
    (result) => result.data ?? result.error?.code,
  );

describe("runChain", () => {
  it("a step of a chain can use values of earlier steps", async () => {
    const data = await dataOf([
      { id: "issue", task: "a.read", input: { number: 7, labels: ["x", "y"] } },
      { task: "a.read", input: { number: { $from: "issue.data.number" } } },
      {
        task: "a.read",
        input: { text: { $text: "see #{{issue.data.number}}: {{s1.data.number}}" } },
      },
      { task: "a.read", input: { all: { $from: "issue.data.labels[*]" } } },
    ]);
    expect(data.slice(1)).toEqual([{ number: 7 }, { text: "see #7: 7" }, { all: ["x", "y"] }]);
  });

  it("a $literal value of a chain step is passed on unchanged", async () => {
    const literal = { $from: "s0.data" };
    const data = await dataOf([{ task: "a.read", input: { value: { $literal: literal } } }]);
    expect(data).toEqual([{ value: literal }]);
  });

  it("reads of a chain run concurrently, and writes run in the order of the steps", async () => {
    const log: string[][] = [];
    const tasks = ["a.read", "a.read", "a.write", "b.read", "a.read", "a.write"];
    await dataOf(
      tasks.map((task) => ({ task })),
      log,
    );
    expect(log).toEqual([["s0", "s1", "s3"], ["s2"], ["s4"], ["s5"]]);
  });

  it("a failed step of a chain cancels only the steps that depend on it", async () => {
    const result = await runChain(
      [
        { id: "bad", task: "a.fail" },
        { task: "a.read", input: { x: { $from: "bad.data.x" } } },
        { task: "a.read", input: { y: 1 } },
      ],
      answering(),
    );
    expect(result.status).toBe("partial");
    expect(result.results.map(({ error }) => error?.code)).toEqual([
      "CONFLICT",
      "CANCELLED",
      undefined,
    ]);
    expect(result.results[1]?.error?.details).toEqual({ outcome: "not_applied" });
    expect(result.meta).toMatchObject({ total: 3, succeeded: 1, failed: 2 });
  });

  it("a chain with on_error stop cancels the writes after a failure", async () => {
    const tasks = ["a.fail", "a.write", "b.read", "b.write"];
    const steps = tasks.map((task) => ({ task }));
    const result = await runChain(steps, answering(), { onError: "stop" });
    expect(result.results.map(({ ok, error }) => error?.code ?? ok)).toEqual([
      "CONFLICT",
      "CANCELLED",
      true,
      "CANCELLED",
    ]);
  });

  it("a later step of a chain runs first if an earlier step depends on it", async () => {
    const log: string[][] = [];
    const steps = [
      { id: "first", task: "a.read", input: { x: { $from: "last.data" } } },
      { id: "middle", task: "b.write" },
      { id: "last", task: "c.write" },
    ];
    const { status } = await runChain(steps, answering(log), { onError: "stop" });
    expect([status, log]).toEqual(["success", [["last"], ["first"], ["middle"]]]);
  });

  it("a step of a chain runs only if its condition holds", async () => {
    const steps = [
      { id: "first", task: "a.read", input: { open: true } },
      { task: "a.read", input: { a: 1 }, when: "first.data.open" },
      { task: "a.read", input: { b: 1 }, when: "!first.ok" },
    ];
    const { results } = await runChain(steps, answering());
    expect(results.map(({ data }) => data)).toEqual([{ open: true }, { a: 1 }, null]);
    expect(results[2]?.meta.warnings?.[0]).toContain("skipped: its condition");
  });

  it("the condition of a chain step can test whether another step failed", async () => {
    const steps = [
      { id: "bad", task: "a.fail" },
      { task: "a.read", input: { instead: 1 }, when: "bad.ok == `false`" },
    ];
    expect(await dataOf(steps)).toEqual(["CONFLICT", { instead: 1 }]);
  });

  it("a step of a chain that depends on a failed step is cancelled even if its condition holds", async () => {
    const steps = [
      { id: "bad", task: "a.fail" },
      { task: "a.read", input: { x: { $from: "bad.data.x" } }, when: "!bad.ok" },
    ];
    expect(await dataOf(steps)).toEqual(["CONFLICT", "CANCELLED"]);
  });

  it("a reference of a chain without a value fails its step, unless the reference has a default", async () => {
    const data = await dataOf([
      { id: "x", task: "a.read", input: { a: null } },
      { task: "a.read", input: { v: { $from: "x.data.a" } } },
      { task: "a.read", input: { v: { $from: "x.data.b", default: 3 } } },
    ]);
    expect(data.slice(1)).toEqual(["VALIDATION", { v: 3 }]);
  });
});

describe("runChain with wrong steps", () => {
  it.each([
    ["no steps", [], "at least one step"],
    ["101 steps", Array.from({ length: 101 }, () => ({ task: "a.read" })), "at most 100"],
    ["a step without a task", [{ input: {} }], "has no task"],
    ["a bad id", [{ id: "a b", task: "a.read" }], "an id is a word"],
    [
      "two steps with the same id",
      [
        { id: "x", task: "a.read" },
        { id: "x", task: "a.read" },
      ],
      "Two steps",
    ],
    [
      "steps that refer to each other",
      [
        { id: "x", task: "a.read", input: { $from: "y.data" } },
        { id: "y", task: "a.read", input: { $from: "x.data" } },
      ],
      "depends on itself",
    ],
    [
      "a step that refers to itself",
      [{ id: "x", task: "a.read", input: { v: { $from: "x.data" } } }],
      "depends on itself",
    ],
  ])("a chain is refused as a whole for %s", async (_name, steps, message) => {
    const log: string[][] = [];
    const result = await runChain(steps as ChainStep[], answering(log));
    expect(result.status).toBe("failed");
    expect(result.error?.message).toContain(message);
    expect(log).toEqual([]);
  });

  it.each([
    ["an unknown task", { task: "nothing" }, "NOT_FOUND"],
    [
      "an expression that does not parse",
      { task: "a.read", input: { $from: "a..b" } },
      "VALIDATION",
    ],
    [
      "a reference to an unknown step",
      { task: "a.read", input: { $from: "s9.data" } },
      "VALIDATION",
    ],
    [
      "a $from with another member",
      { task: "a.read", input: { $from: "a", other: 1 } },
      "VALIDATION",
    ],
    ["a $text that is not a string", { task: "a.read", input: { $text: 5 } }, "VALIDATION"],
  ])("only the wrong step of a chain of reads fails: %s", async (_name, step, code) => {
    expect(await dataOf([step, { task: "a.read", input: { ok: 1 } }])).toEqual([code, { ok: 1 }]);
  });

  it("a chain with on_error stop runs nothing if one step is wrong", async () => {
    const log: string[][] = [];
    const steps = [{ task: "a.write" }, { task: "nothing" }];
    const result = await runChain(steps, answering(log), { onError: "stop" });
    expect(log).toEqual([]);
    expect(result.results.map(({ error }) => error?.code)).toEqual(["CANCELLED", "NOT_FOUND"]);
  });
});
