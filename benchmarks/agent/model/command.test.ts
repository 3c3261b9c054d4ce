import { describe, expect, it } from "vitest";
import { calls, says, startStub } from "./fixtures/stub-endpoint.ts";
import type { StubReply } from "./fixtures/stub-endpoint.ts";
import { modelCommand } from "./index.ts";
import type { Asked, ModelBenchmark } from "./index.ts";

const KEY = "k-very-secret";

const VIEW: Asked = {
  id: "issue-title",
  kind: "read",
  task: "What is issue 1 of octo/hello called?",
  steps: [{ capability: "issue.view", params: {} }],
  oracle: {},
  gh: "no gh in this test",
};
const CLOSE: Asked = {
  ...VIEW,
  id: "issue-close",
  kind: "write",
  task: "Close issue 1 of octo/hello",
  writes: 1,
  oracle: { equals: "CLOSED" },
};

/** The truth is in the embedded GitHub's own store. */
const BENCHMARK: ModelBenchmark<Asked> = {
  scenarios: [VIEW, CLOSE],
  truthOf: ({ id }, { store }) => {
    const issue = store.repositories.find(({ name }) => name === "hello")?.issues.get(1);
    return id === VIEW.id ? issue?.title : issue?.state;
  },
};

async function run(answers: readonly StubReply[], more: readonly string[] = []) {
  const { url, requests } = await startStub((_request, index) => answers[index]!);
  const printed: string[] = [];
  const written: string[][] = [];
  const args = ["--model", "m-1", "--url", url, "--format", "anthropic", ...more];
  const output = {
    print: (text: string) => void printed.push(text),
    write: (parts: string[]) => void written.push(parts),
  };
  const code = await modelCommand(args, { WAYBILL_BENCHMARK_KEY: KEY }, BENCHMARK, output);
  return { code, text: printed.join("\n"), written, requests };
}

const target = { repo: "octo/hello", number: 1 };
const CLOSES = { capability_id: "issue.close", params: target };
const GOOD: readonly StubReply[] = [
  { body: says("anthropic", "It is called “Greeting fails on empty names”") },
  { body: calls("anthropic", "execute", CLOSES) },
  { body: says("anthropic", "Closed.") },
];

describe("model command", () => {
  it("a complete model run is judged by GitHub's state, reported and stored", async () => {
    const { code, text, written, requests } = await run(GOOD);
    expect(code).toBe(0);
    expect(text).toMatch(/issue-title, waybill: 0 calls, \d+ tokens, passed/);
    expect(text).toMatch(/issue-close, waybill: 1 calls, \d+ tokens, passed/);
    expect(text).toMatch(/Model `m-1` at 127\.0\.0\.1:\d+, in the anthropic format\./);
    expect(written).toHaveLength(1);
    expect(written[0]?.join("\n")).toContain("issue-title");
    expect(text + JSON.stringify(written)).not.toContain(KEY);
    expect(requests[0]?.headers["x-api-key"]).toBe(KEY);
  });

  it("a model run reports a wrong answer and a wrong state of GitHub", async () => {
    const answers = [
      { body: says("anthropic", "Nobody knows") },
      { body: says("anthropic", "Closed.") },
    ];
    const { code, text } = await run(answers);
    expect(code).toBe(0);
    expect(text).toContain("is not in the answer: Nobody knows");
    expect(text).toContain('GitHub has "OPEN" instead of "CLOSED"');
  });

  it("an incomplete model run is not stored", async () => {
    expect((await run(GOOD, ["--scenarios", "issue-title"])).written).toEqual([]);
    expect((await run(GOOD, ["--quick"])).written).toEqual([]);
    const refused = { status: 401, body: { error: { message: `Bad ${KEY}` } } };
    const { code, text, written } = await run([GOOD[0]!, refused]);
    expect([code, written]).toEqual([1, []]);
    expect(text).toContain("Not everything was played: The endpoint refuses the key");
    expect(text).not.toContain(KEY);
  });

  it.each([
    [401, "The endpoint refuses the key (The upstream answered 401: no [key])"],
    [404, "The endpoint knows no such address or model (The upstream answered 404: no [key])"],
  ])(
    "a model run prints one line if the first request is refused with %d",
    async (status, line) => {
      const refused = { status, body: { error: { message: `no ${KEY}` } } };
      const { code, text, written } = await run([refused]);
      expect([code, written]).toEqual([1, []]);
      expect(text).toMatch(/^Nothing was played: .*; check [^\n]+$/u);
      expect(text).toContain(line);
    },
  );

  it("a model run in which the endpoint never answered in its format fails", async () => {
    const odd = { body: "<html>" };
    const { code, text, written } = await run([odd], ["--scenarios", "issue-title"]);
    expect([code, written]).toEqual([1, []]);
    expect(text).toContain("Not everything was played: The endpoint's answer cannot be read");
  });

  it("a model run waits for the end of a rate limit and continues", async () => {
    const limited = { status: 429, headers: { "retry-after": "0" }, body: {} };
    const { code, text, requests } = await run([limited, ...GOOD]);
    expect([code, requests.length]).toEqual([0, 4]);
    expect(text).toMatch(/issue-close, waybill: 1 calls, \d+ tokens, passed/);
  });

  it("a model's call of a tool that does not exist is answered, and counts as a call", async () => {
    const { text, requests } = await run(
      [{ body: calls("anthropic", "rm", {}) }, GOOD[0]!],
      ["--scenarios", "issue-title"],
    );
    expect(text).toMatch(/issue-title, waybill: 1 calls, \d+ tokens, passed/);
    expect(JSON.stringify(requests[1]?.body)).toContain("!NOT_FOUND There is no tool rm");
  });

  it("a model run by MCP gives the model the MCP skill and brief answers", async () => {
    const view = { capability_id: "issue.view", params: target, options: { select: ["title"] } };
    const { requests } = await run(
      [{ body: calls("anthropic", "execute", view) }, GOOD[0]!],
      ["--scenarios", "issue-title"],
    );
    const { system } = requests[0]!.body;
    expect(system).not.toContain("waybill run");
    const last = (requests[1]!.body["messages"] as { content: unknown }[]).at(-1);
    expect(JSON.stringify(last)).toContain(
      String.raw`{\"title\":\"Greeting fails on empty names\"}`,
    );
  });

  it("a model run explains an invalid command line", async () => {
    const { code, text, requests } = await run([], ["--scenarios", "none"]);
    expect([code, requests]).toEqual([2, []]);
    expect(text).toBe("No scenario is called none; there are issue-title, issue-close");
  });
});
