import { describe, expect, it, onTestFinished } from "vitest";
import { describeWithProgram } from "../../../test/support/programs.ts";
import { skillText } from "../../../packages/cli/src/skill/index.ts";
import { openEmbeddedWorld } from "./embedded-world.ts";
import type { EmbeddedOptions } from "./embedded-world.ts";
import { openEndpoint } from "./endpoint.ts";
import { missingFact } from "./facts.ts";
import { calls, says, startStub } from "./fixtures/stub-endpoint.ts";
import type { StubReply, StubRequest } from "./fixtures/stub-endpoint.ts";
import { FORMATS } from "./formats/index.ts";
import { runModel } from "./run-model.ts";
import type { Place, RunModelOptions, Task } from "./run-model.ts";
import type { FormatName } from "./toolbox.ts";

const VIEW: Task = {
  id: "issue-title",
  kind: "read",
  task: "What is issue 1 of octo/hello called?",
  steps: [{ capability: "issue.view", params: { repo: "octo/hello", number: 1 } }],
};
const CREATE: Task = {
  ...VIEW,
  id: "issue-create",
  kind: "write",
  task: "Open an issue",
  writes: 1,
};

/** The result is judged by GitHub's own store, never by an answer of Waybill. */
const titleIsNamed: EmbeddedOptions["judge"] = async (answer, { store }) => {
  const hello = store.repositories.find(({ name }) => name === "hello");
  const missing = missingFact(hello?.issues.get(1)?.title, answer);
  return missing === undefined ? undefined : `${missing} is not in the answer`;
};

function open(judge = titleIsNamed): Promise<Place> {
  return openEmbeddedWorld({ skill: skillText({ form: "lean", door: "command" }), judge });
}

const onlyWaybill = async (_task: Task, door: string): Promise<Place | undefined> =>
  door === "gh" ? undefined : open();

type Script = (request: StubRequest, index: number) => StubReply;

async function play(
  format: FormatName,
  script: Script,
  given: Partial<RunModelOptions<Task>> = {},
) {
  const { url, requests } = await startStub(script);
  const endpoint = openEndpoint({
    format: FORMATS[format],
    url: new URL(url),
    model: "m",
    key: "k-12345",
    firstWaitMs: 1,
  });
  onTestFinished(() => endpoint.close());
  const scenarios = [VIEW];
  const run = await runModel({ scenarios, endpoint, format, open: () => open(), ...given });
  return { ...run, requests };
}

const EXECUTE = { capability_id: "issue.view", params: { repo: "octo/hello", number: 1 } };
const GH = { args: ["issue", "view", "1", "-R", "octo/hello", "--json", "title"] };

/**
 * Acts like a good agent: does the task with the tools that it has, and answers with what it read.
 */
function goodAgent(format: FormatName): Script {
  return ({ body }) => {
    const messages = body["messages"] as { content?: unknown }[];
    const heard = JSON.stringify(messages.slice(2));
    const title = /\\*"title\\*": ?\\*"([^"\\]+)/u.exec(heard)?.[1];
    if (title !== undefined) return { body: says(format, `It is called “${title}”.`) };
    const isGh = JSON.stringify(body["tools"]).includes('"name":"gh"');
    return { body: isGh ? calls(format, "gh", GH) : calls(format, "execute", EXECUTE) };
  };
}

const BOTH = ["openai", "anthropic"] as const;

describeWithProgram("gh", () => {
  it.each(BOTH)(
    "a model behind the endpoint %s plays through Waybill and gh, and tokens and usage are counted",
    async (format) => {
      const { played, problem, requests } = await play(format, goodAgent(format));
      expect(problem).toBeUndefined();
      expect(played.map(({ mode, passed, reason }) => ({ mode, passed, reason }))).toEqual([
        { mode: "waybill", passed: true, reason: undefined },
        { mode: "gh", passed: true, reason: undefined },
      ]);
      expect(requests).toHaveLength(4);
      for (const { calls: made, tokens, usage, applied } of played) {
        expect([made, applied]).toEqual([1, 0]);
        expect(usage).toEqual({ requests: 2, input: 200, output: 40 });
        expect(tokens.definitions).toBeGreaterThan(50);
        expect(tokens.read).toBeGreaterThan(5);
        const { definitions, sent, read, total, single } = tokens;
        expect(total).toBe(Math.round(sent + read + definitions / 10));
        expect(single).toBe(sent + read + definitions);
      }
    },
  );
});

describe.each(BOTH)("model behind %s", (format) => {
  it("the error of a failed call is sent back to the model, which continues", async () => {
    const wrong = calls(format, "execute", { capability_id: "issue.vista", params: {} });
    const good = goodAgent(format);
    const script: Script = (request, index) =>
      index === 0 ? { body: wrong } : good(request, index);
    const { played, requests } = await play(format, script, {
      open: onlyWaybill,
    });
    expect(played).toMatchObject([{ passed: true, calls: 2, usage: { requests: 3 } }]);
    expect(JSON.stringify(requests[1]?.body["messages"])).toContain("NOT_FOUND");
  });

  it("a model that makes a call with invalid arguments continues", async () => {
    const nonsense = calls(format, "execute", { capability_id: 3 });
    const { played } = await play(format, (_request, index) => ({
      body: index % 2 === 0 ? nonsense : says(format, "I do not know"),
    }));
    expect(played.map(({ passed, reason }) => [passed, reason])).toEqual([
      [false, expect.stringContaining("is not in the answer")],
      [false, expect.stringContaining("is not in the answer")],
    ]);
  });

  it("an empty message of a model counts as no answer", async () => {
    const { played } = await play(format, () => ({ body: says(format, " ") }));
    expect(played.map(({ reason }) => reason)).toEqual(["an empty answer", "an empty answer"]);
  });

  it("a model is stopped after a maximum of turns or tokens", async () => {
    const script: Script = () => ({ body: calls(format, "execute", EXECUTE) });
    const turns = await play(format, script, { limits: { turns: 3 } });
    expect(turns.played[0]).toMatchObject({
      passed: false,
      reason: "no answer after 3 turns",
      calls: 3,
    });
    const tokens = await play(format, script, { limits: { tokens: 300 } });
    expect(tokens.played[0]).toMatchObject({ passed: false, reason: "over 300 tokens", calls: 2 });
  });
});

describe("run of a model", () => {
  it("the writes that GitHub applied for a model are counted, including repeated writes", async () => {
    const params = { repo: "octo/hello", title: "New" };
    const script: Script = (_request, index) => ({
      body:
        index < 2
          ? calls("openai", "execute", { capability_id: "issue.create", params })
          : says("openai", "Done"),
    });
    const { played } = await play("openai", script, {
      scenarios: [CREATE],
      open: async (_task, door) => (door === "gh" ? undefined : open(async () => undefined)),
    });
    expect(played).toMatchObject([{ applied: 2, wanted: 1, passed: true }]);
  });

  it("a model run ends at once when the endpoint rejects the key, and keeps finished plays", async () => {
    const good = goodAgent("openai");
    const script: Script = (request, index) =>
      index < 2
        ? good(request, index)
        : { status: 401, body: { error: { message: "No k-12345" } } };
    const { played, problem } = await play("openai", script, { scenarios: [VIEW, VIEW, VIEW] });
    expect(played).toHaveLength(1);
    expect(problem).toContain("check WAYBILL_BENCHMARK_KEY");
    expect(problem).not.toContain("k-12345");
  });

  it("a model run ends after three unreadable answers in a row", async () => {
    const { played, problem } = await play("anthropic", () => ({ body: "<html>" }), {
      scenarios: [VIEW, VIEW, VIEW],
    });
    expect(played).toHaveLength(3);
    expect(played[0]).toMatchObject({ passed: false, calls: 0 });
    expect(problem).toContain("check --url and --format");
  });
});
