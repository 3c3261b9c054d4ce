import { describe, expect, it, onTestFinished } from "vitest";
import type { Conversation } from "./conversation.ts";
import { openEndpoint } from "./endpoint.ts";
import { EndpointError } from "./endpoint-error.ts";
import { calls, says, startStub } from "./fixtures/stub-endpoint.ts";
import type { StubReply, StubRequest } from "./fixtures/stub-endpoint.ts";
import { FORMATS } from "./formats/index.ts";
import type { FormatName } from "./toolbox.ts";

const KEY = "sk-very-secret-key";
const TALK: Conversation = { system: "Be brief", task: "Which?", tools: [{ a: 1 }], exchanges: [] };

/** A call and its failed answer, as each format wants them back. */
const ECHOED = {
  openai: [
    { role: "assistant", content: "", tool_calls: [{ id: "t1" }] },
    { role: "tool", tool_call_id: "t1", content: "It broke" },
  ],
  anthropic: [
    {
      role: "assistant",
      content: [
        { type: "thinking", signature: "s" },
        { type: "tool_use", input: { a: 1 } },
      ],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "It broke", is_error: true }],
    },
  ],
};

function endpointAt(url: string, format: FormatName, key: string | undefined = KEY) {
  const endpoint = openEndpoint({
    format: FORMATS[format],
    url: new URL(url),
    model: "m-1",
    key,
    firstWaitMs: 1,
  });
  onTestFinished(() => endpoint.close());
  return endpoint;
}

async function ask(
  format: FormatName,
  script: (request: StubRequest, index: number) => StubReply,
  talk = TALK,
) {
  const { url, requests } = await startStub(script);
  const signal = AbortSignal.timeout(10_000);
  const asked = endpointAt(url, format).ask(talk, signal);
  const reply = await asked.catch((error: unknown) => error);
  return { reply, requests };
}

async function endpointFailure(format: FormatName, answer: StubReply) {
  const { reply, requests } = await ask(format, () => answer);
  if (!(reply instanceof EndpointError)) throw new Error(`no failure: ${JSON.stringify(reply)}`);
  return { message: reply.message, isFatal: reply.isFatal, tries: requests.length };
}

describe.each(["openai", "anthropic"] as const)("%s endpoint", (format) => {
  it("the client of a model endpoint sends model, tools, system and task, and reads text and usage", async () => {
    const { reply, requests } = await ask(format, () => ({ body: says(format, "Fine") }));
    expect(reply).toMatchObject({ text: "Fine", calls: [], usage: { input: 100, output: 20 } });
    const [{ body } = { body: {} }] = requests;
    expect(body).toMatchObject({ model: "m-1", tools: [{ a: 1 }] });
    expect(JSON.stringify(body)).toContain("Be brief");
    expect(JSON.stringify(body)).toContain("Which?");
  });

  it("the client of a model endpoint sends earlier calls and tool results with the next request", async () => {
    const { reply } = await ask(format, () => ({ body: calls(format, "execute", { a: 1 }) }));
    const [call] = (reply as { calls: { id: string; name: string; input: unknown }[] }).calls;
    expect(call).toMatchObject({ id: "t1", name: "execute" });
    const answers = [{ id: "t1", text: "It broke", isError: true }];
    const exchanges = [{ reply, answers }] as Conversation["exchanges"];
    const { requests } = await ask(format, () => ({ body: says(format, "Well") }), {
      ...TALK,
      exchanges,
    });
    const { messages } = requests[0]!.body as { messages: object[] };
    expect(messages.slice(-2)).toMatchObject(ECHOED[format]);
  });

  it.each([
    [401, "The endpoint refuses the key (", "check WAYBILL_BENCHMARK_KEY"],
    [404, "The endpoint knows no such address or model (", "check --url and --model"],
  ])(
    "a model run ends with a clear message without the key if the endpoint answers %d",
    async (status, ...said) => {
      const body = { error: { type: "x", message: `Wrong: ${KEY}` } };
      const { message, isFatal, tries } = await endpointFailure(format, { status, body });
      for (const part of said) expect(message).toContain(part);
      expect(message).not.toContain(KEY);
      expect([isFatal, tries]).toEqual([true, 1]);
    },
  );

  it("the client of a model endpoint retries after a rate limit or an overload", async () => {
    const replies: StubReply[] = [
      { status: 429, headers: { "retry-after": "0" }, body: {} },
      { status: 529, body: { error: { message: "Overloaded" } } },
      { body: says(format, "Fine") },
    ];
    const { reply, requests } = await ask(format, (_request, index) => replies[index]!);
    expect(reply).toMatchObject({ text: "Fine" });
    expect(requests).toHaveLength(3);
  });

  it("the client of a model endpoint gives up after five tries, or when the endpoint asks for a long wait", async () => {
    const limited = await endpointFailure(format, {
      status: 429,
      headers: { "retry-after": "0" },
      body: {},
    });
    expect(limited).toMatchObject({ isFatal: true, tries: 5 });
    expect(limited.message).toMatch(/rate limit holds after 5 tries .*fewer with --scenarios/);
    const resting = { status: 429, headers: { "retry-after": "3600" }, body: {} };
    expect(await endpointFailure(format, resting)).toMatchObject({ isFatal: true, tries: 1 });
  });

  it.each([
    ["<html>Welcome</html>", "it is not JSON"],
    [{ hello: 1 }, "it is not a"],
    [{ choices: [{}], content: [3] }, "it is not a"],
    [
      {
        choices: [{ message: { tool_calls: [{ id: 1, function: {} }] } }],
        content: [{ type: "tool_use", id: 1 }],
      },
      "the id of a tool call is not a string",
    ],
  ])("only the current play fails if the model endpoint answers %j", async (body, said) => {
    const { message, isFatal } = await endpointFailure(format, { body });
    expect(message).toContain("The endpoint's answer cannot be read");
    expect(message).toContain(said);
    expect(message).toContain("check --url and --format");
    expect(isFatal).toBe(false);
  });

  it("a model run stops asking the model endpoint at the time limit of a play", async () => {
    const { url } = await startStub(() => ({
      status: 429,
      headers: { "retry-after": "50" },
      body: {},
    }));
    const signal = AbortSignal.timeout(50);
    await expect(endpointAt(url, format).ask(TALK, signal)).rejects.not.toBeInstanceOf(
      EndpointError,
    );
    expect(signal.aborted).toBe(true);
  });

  it("the error names a model endpoint that refuses connections", async () => {
    const endpoint = endpointAt("http://127.0.0.1:9", format);
    const asked = endpoint.ask(TALK, AbortSignal.timeout(10_000));
    await expect(asked).rejects.toThrow(/cannot be reached after 5 tries .*check --url/);
  });
});

it("the client of a model endpoint reads text that an OpenAI endpoint sends in parts", async () => {
  const content = [
    { type: "thinking" },
    { type: "text", text: "Fi" },
    { type: "text", text: "ne" },
  ];
  const { reply } = await ask("openai", () => ({ body: { choices: [{ message: { content } }] } }));
  expect(reply).toMatchObject({ text: "Fine", usage: { input: 0, output: 0 } });
});

describe("URL and key", () => {
  it.each([
    ["openai", "", "/v1/chat/completions"],
    ["openai", "/v1/", "/v1/chat/completions"],
    ["openai", "/api/v4", "/api/v4/chat/completions"],
    ["openai", "/v1/chat/completions", "/v1/chat/completions"],
    ["anthropic", "", "/v1/messages"],
    ["anthropic", "/v1", "/v1/messages"],
    ["anthropic", "/anthropic", "/anthropic/v1/messages"],
    ["anthropic", "/v1/messages", "/v1/messages"],
  ] as const)(
    "the client of the %s endpoint at %j sends requests to the path %s",
    async (format, base, path) => {
      const { url, requests } = await startStub(() => ({ body: says(format, "Fine") }));
      await endpointAt(`${url}${base}`, format).ask(TALK, AbortSignal.timeout(10_000));
      expect(requests[0]?.path).toBe(path);
    },
  );

  it("the client of a model endpoint sends the key in the header of each endpoint format, or no key at all", async () => {
    const { requests: one } = await ask("openai", () => ({ body: says("openai", "Fine") }));
    expect(one[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const { requests: two } = await ask("anthropic", () => ({ body: says("anthropic", "Fine") }));
    expect(two[0]?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    const { url, requests } = await startStub(() => ({ body: says("openai", "Fine") }));
    const open = openEndpoint({
      format: FORMATS.openai,
      url: new URL(url),
      model: "m",
      key: undefined,
    });
    onTestFinished(() => open.close());
    await open.ask(TALK, AbortSignal.timeout(10_000));
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });
});
