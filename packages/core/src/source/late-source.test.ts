import { describe, expect, it } from "vitest";
import { defineOperation } from "../operation/index.ts";
import { OperationRegistry } from "../execute/index.ts";
import { sourceContract } from "../testing/index.ts";
import { attachSource, lateSource } from "./index.ts";

const double = defineOperation({
  id: "math.double",
  description: "Doubles a number",
  effect: "read",
  input: { type: "object", required: ["value"], properties: { value: { type: "number" } } },
  output: { type: "number" },
  handler: ({ value }) => value * 2,
});

const late = { summary: double.spec, make: () => double };
const example = { id: "math.double", input: { value: 4 }, data: 8, badInput: { value: "four" } };

const source = () => lateSource("math", () => Promise.resolve({ operations: [late] }));

describe("sources that are read on demand", () => {
  for (const { name, run } of sourceContract(source, example)) {
    it(name, () => run());
  }

  it("lateSource reads its source once for several requests", async () => {
    let read = 0;
    const counted = lateSource("math", async () => {
      read += 1;
      return { operations: [late] };
    });
    expect(counted.problems?.()).toEqual([]);
    await Promise.all([counted.list(), counted.list()]);
    expect(read).toBe(1);
  });

  it("lateSource can be read a second time after a failure", async () => {
    let isDown = true;
    const flaky = lateSource("math", async () => {
      if (isDown) throw new Error("down");
      return { operations: [late] };
    });
    await expect(flaky.list()).rejects.toThrow("down");
    isDown = false;
    expect(await flaky.list()).toHaveLength(1);
  });

  it("lateSource reports the problems and duplicate ids of its source", async () => {
    const problem = { source: "math", operationId: "math.half", message: "is broken" };
    const load = async () => ({ operations: [late, late], problems: [problem] });
    const attached = await attachSource(new OperationRegistry(), lateSource("math", load));
    expect(attached.ids).toEqual(["math.double"]);
    expect(attached.problems).toEqual([
      problem,
      {
        source: "math",
        operationId: "math.double",
        message: "the source has two operations with this id; only the first can be called",
      },
    ]);
  });
});
