import { afterAll, describe, expect, it } from "vitest";
import { Thread } from "./index.ts";
import type { Turn } from "./index.ts";

const thread = new Thread();
afterAll(() => thread.end());

const limits = {
  calls: 100,
  inputBytes: 10_000,
  roundBytes: 10_000,
  logBytes: 1_000,
  answerBytes: 10_000,
};

async function start(program: string, roots = ["issue"]): Promise<Turn> {
  const { facts, problem } = await thread.ask({ kind: "read", program });
  if (facts === undefined) throw new Error(problem?.message);
  const config = JSON.stringify({ roots, seed: 1, limits });
  const turn = await thread.ask({
    kind: "start",
    code: facts.code,
    config,
    now: 1_000,
    memoryBytes: 64 << 20,
  });
  if ("broken" in turn) throw new Error(turn.message);
  return turn;
}

describe("the sandbox", () => {
  it("the sandbox returns the value that a program returns", async () => {
    const turn = await start("return [1, 2, 3].map((x) => x * 2)");
    expect(turn).toMatchObject({ value: [2, 4, 6], calls: [], facts: { status: "returned" } });
  });

  it("the sandbox hands out all calls that a program makes in one tick together, and continues with their answers", async () => {
    const turn = await start(
      "const [a, b] = await Promise.all([issue.view('x#1'), issue.view('x#2', {q: 1})]); return a.n + b.n",
    );
    expect(turn.calls).toEqual([
      { n: 1, name: "issue.view", args: ["x#1"] },
      { n: 2, name: "issue.view", args: ["x#2", { q: 1 }] },
    ]);
    const answers = [1, 2].map((n) => ({ n, id: "issue.view", form: "data", data: { n } }));
    const round = JSON.stringify({ answers, shapes: {} });
    const end = await thread.ask({ kind: "settle", round });
    expect(end).toMatchObject({ value: 3, facts: { status: "returned" } });
  });

  it("the sandbox has a clock that stands still and random numbers from a seed", async () => {
    const program =
      "return [Date.now(), new Date().toISOString(), Math.random(), typeof performance]";
    const [one, other] = [await start(program), await start(program)];
    expect(one.value).toEqual(other.value);
    expect(one.value).toEqual([1_000, "1970-01-01T00:00:01.000Z", expect.any(Number), "undefined"]);
  });
});
