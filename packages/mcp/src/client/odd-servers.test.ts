import { join } from "node:path";
import { inspect } from "node:util";
import { OperationRegistry, errorFromUnknown } from "@waybill/core";
import type { CallError, ResultEnvelope } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { linesOf, oddServer, temporaryFolder, textOf, waybillOf } from "./fixtures/support.ts";
import { createMCPClient, fileStore, mcpSource } from "./index.ts";

const add = { a: 1, b: 2 };

describe("misbehaving MCP servers", () => {
  it("lines of an MCP server that are not messages are ignored", async () => {
    const result = await waybillOf(oddServer(["--noisy"])).execute("odd.add", add);
    expect(textOf(result.data)).toBe("3");
  });

  it("a call that an MCP server never answers times out, and other calls of the server succeed", async () => {
    const log = join(temporaryFolder(), "calls");
    const waybill = waybillOf(oddServer([], { callTimeoutMs: 200, env: { CALL_LOG: log } }));
    const pass = stopClock();
    const silent = waybill.execute("odd.silent");
    await expect.poll(() => linesOf(log)).toEqual(["silent"]);
    expect((await waybill.execute("odd.add", add)).ok).toBe(true);
    await pass(200);
    expect((await silent).error).toMatchObject({
      code: "TIMEOUT",
      retryable: false,
      details: { outcome: "unknown" },
    });
  });

  it("an MCP server that never answers is reported, and other servers can be called", async () => {
    const problems: string[] = [];
    const mute = oddServer(["--mute"], { name: "mute", connectTimeoutMs: 300 });
    const waybill = waybillOf([mute, oddServer()], {
      observer: { onProblem: ({ message }) => problems.push(message) },
    });
    expect((await waybill.execute("odd.add", add)).ok).toBe(true);
    expect(problems).toEqual(["The MCP server mute did not answer"]);
  });

  it("the outcome of a call is unknown if the MCP server dies during the call, and the next call restarts the server", async () => {
    const log = join(temporaryFolder(), "starts");
    const waybill = waybillOf(oddServer([], { env: { START_LOG: log } }));
    const died = await waybill.execute("odd.die");
    expect(died.error).toMatchObject({ code: "NETWORK", details: { outcome: "unknown" } });
    expect((await waybill.execute("odd.add", add)).ok).toBe(true);
    expect(linesOf(log)).toHaveLength(2);
  });

  it("a response of 100 MB of an MCP server is refused, and the next call of the server succeeds", async () => {
    const waybill = waybillOf(oddServer());
    const pid = textOf((await waybill.execute("odd.pid")).data);
    const huge = await waybill.execute("odd.huge");
    expect(huge.error).toMatchObject({ code: "TOO_LARGE", details: { outcome: "unknown" } });
    expect(textOf((await waybill.execute("odd.pid")).data)).toBe(pid);
  });

  it("a response with millions of values of an MCP server is refused, and the next call of the server succeeds", async () => {
    const waybill = waybillOf(oddServer());
    const many = await waybill.execute("odd.many");
    expect(many.error).toMatchObject({ code: "TOO_LARGE", details: { outcome: "unknown" } });
    expect((await waybill.execute("odd.add", add)).ok).toBe(true);
  });

  it("the operations of an MCP source change when a running server changes its tools", async () => {
    const waybill = waybillOf(oddServer());
    expect((await waybill.execute("odd.grown")).error?.code).toBe("NOT_FOUND");
    await waybill.execute("odd.grow");
    await expect
      .poll(async () => textOf((await waybill.execute("odd.grown")).data ?? []))
      .toBe("called grown");
  });

  it("an MCP server whose program is not installed is reported", async () => {
    const problems: string[] = [];
    const waybill = waybillOf(
      { name: "none", command: "no-such-program-here" },
      { observer: { onProblem: ({ message }) => problems.push(message) } },
    );
    await waybill.list_capabilities({ wait_ms: 60_000 });
    expect(problems).toEqual(["no-such-program-here is not installed"]);
  });

  it("the error for an MCP server that ended quotes what the server printed", async () => {
    const source = mcpSource(oddServer(["--complain"]));
    await expect(source.list()).rejects.toThrow("ended before it answered: I need a licence");
    await source.close();
  });

  it("the error for a crashed MCP server quotes the server's error without its stack", async () => {
    const source = mcpSource({
      name: "gone",
      command: process.execPath,
      args: ["no-such-file.mjs"],
    });
    await expect(source.list()).rejects.toThrow(
      /ended before it answered: Error: Cannot find module '.*no-such-file.mjs'/u,
    );
    await source.close();
  });

  it("the error for an MCP server that ended redacts a secret in what the server printed", async () => {
    const env = { LICENCE: "${env:KEY}" };
    const environment = { KEY: "s3cret-licence" };
    const source = mcpSource(oddServer(["--complain"], { env, environment }));
    await expect(source.list()).rejects.toThrow("I need a licence other than [redacted]");
    await source.close();
  });

  it("the error for a program that is not an MCP server says how to check the program", async () => {
    for (const command of ["true", "false"]) {
      const source = mcpSource({ name: "none", command });
      const error = await source.list().then(() => undefined, errorFromUnknown);
      expect(error?.message).toBe("The MCP server none ended before it answered");
      expect(error?.details.hint).toContain("Run the command yourself");
      await source.close();
    }
  });

  it("the error for a header that cannot be sent to an MCP server names the header but not its value", async () => {
    const headers = { "X-Key": "${env:KEY}" };
    const settings = {
      name: "far",
      url: "http://127.0.0.1:9/mcp",
      environment: { KEY: "s3\ncret" },
    };
    const source = mcpSource({ ...settings, headers });
    await expect(source.list()).rejects.toThrow(
      "The header X-Key contains a character that headers do not allow; remove line breaks and special characters",
    );
    const named = mcpSource({ ...settings, headers: { "x key": "1" } });
    await expect(named.list()).rejects.toThrow('"x key" is not a valid header name');
  });

  it("the error for an MCP server names an environment variable that its settings use and that is not set", async () => {
    const env = { KEY: "${env:WAYBILL_NOT_SET}" };
    const source = mcpSource(oddServer([], { env, environment: {} }));
    await expect(source.list()).rejects.toThrow("WAYBILL_NOT_SET is not set");
    await source.close();
  });
});

describe("misbehaving tools", () => {
  it("an MCP tool that reports progress without end is stopped at the time limit", async () => {
    const settings = oddServer([], { maxCallMs: 300, callTimeoutMs: 200 });
    const { error } = await waybillOf(settings).execute("odd.endless");
    expect(error).toMatchObject({ code: "TIMEOUT", details: { outcome: "unknown" } });
  });

  it("secrets that an MCP tool repeats are redacted in results, errors and progress", async () => {
    const told: unknown[] = [];
    const env = { API_KEY: "${env:MY_KEY}", PLACE: "${env:HOME}" };
    const environment = { MY_KEY: "s3cret-value", HOME: "/home/somebody" };
    const onProgress = (progress: unknown): void => void told.push(progress);
    const client = await createMCPClient(oddServer([], { env, environment, onProgress }));
    onTestFinished(() => client.close());
    const registry = new OperationRegistry();
    for (const operation of client.operations) registry.register(operation);
    for (const how of ["tells", "fails", "refuses"]) {
      const ended = await registry
        .execute("odd.gossip", { how })
        .catch(({ message, details, cause }: CallError) => ({ message, details, cause }));
      expect(inspect(ended, { depth: 20 })).not.toContain("s3cret-value");
      expect(inspect(ended, { depth: 20 })).toContain("[redacted] in /home/somebody");
    }
    expect(JSON.stringify(told)).toContain("[redacted] in /home/somebody");
  });

  it("the error of an MCP tool is returned even if the tool has an output schema", async () => {
    const result = await waybillOf(oddServer()).execute("odd.fail");
    expect(result.error).toMatchObject({
      code: "UNKNOWN",
      message: "There is nothing to add up",
      details: { outcome: "unknown" },
    });
  });

  it("text of an MCP tool that contains the JSON of its output schema is decoded", async () => {
    const result = await waybillOf(oddServer()).execute("odd.text");
    expect(result).toMatchObject({ ok: true, data: { total: 3 } });
  });

  it("text of an MCP tool with JSON that breaks its output schema stays text, with a warning", async () => {
    const result = await waybillOf(oddServer()).execute("odd.lie");
    expect(result.data).toEqual([{ type: "text", text: '{"error": "not found"}' }]);
    expect(result.meta.warnings?.[0]).toMatch("does not match its schema");
  });

  it("a refused MCP tool call is not applied, and a failed MCP tool call has an unknown outcome", async () => {
    const waybill = waybillOf(oddServer());
    expect((await waybill.execute("odd.refuse")).error).toMatchObject({
      code: "VALIDATION",
      message: "The MCP server answered: No such thing",
      details: { outcome: "not_applied", rpc_code: -32_602 },
    });
    const { error } = await waybill.execute("odd.break");
    expect(error).toMatchObject({
      code: "SERVER",
      retryable: false,
      details: { outcome: "unknown", rpc_code: -32_603 },
    });
    // An answer that cannot be read is final. Other failed reads of a trusted server may be
    // repeated.
    expect(error?.details).not.toHaveProperty("final");
  });

  it("content blocks of unknown or malformed kinds are kept as text", async () => {
    const { data } = await waybillOf(oddServer()).execute("odd.blocks");
    expect(data).toEqual([
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a.bin", blob: "AAEC", mimeType: "a/b" } },
      { type: "text", text: '{"type":"hologram","depth":3}' },
      { type: "text", text: "kept", annotations: { priority: 1, audience: ["user"] } },
      { type: "text", text: '{"type":"image","mimeType":"image/png"}' },
    ]);
  });
});

describe("unusual tools", () => {
  it("the valid tools of an MCP server are kept, and each tool gets a valid id", async () => {
    const source = mcpSource(oddServer(["--crowd"]));
    const specs = await source.list();
    const ids = specs.map(({ id }) => id);
    expect(ids).toContain("odd.add");
    expect(ids.every((id) => id.length <= 64 && /^[\w.-]+$/u.test(id))).toBe(true);
    expect(ids.filter((id) => id.startsWith("odd.xxx"))).toHaveLength(1);
    expect(ids).toContain("odd.two_words");
    expect(ids.some((id) => /^odd\.two_words-[0-9a-f]{8}$/u.test(id))).toBe(true);
    expect(specs.find(({ id }) => id === "odd.y_31mz")?.description).toBe("Colour");
    await source.close();
  });

  it.each(["no-schema", "bad-output", "list-output", "odd-annotations", "y_31mz", "two_words"])(
    "an MCP tool with an unusual name or definition can be called: %s",
    async (name) => {
      const waybill = waybillOf(oddServer(["--crowd"]));
      expect(await waybill.execute(`odd.${name}`)).toMatchObject({ ok: true });
    },
  );

  it("MCP tools that cannot be offered are reported, even if the list of tools comes from the store", async () => {
    const store = fileStore(temporaryFolder());
    for (const fresh of [true, false]) {
      const source = mcpSource(oddServer(["--crowd"], { store, fresh }));
      const twice = (await source.list()).filter(({ id }) => id === "odd.twice");
      expect(twice).toMatchObject([{ description: "Second" }]);
      expect(source.problems?.().map(({ message }) => message)).toEqual([
        'tool 10 of its list needs a string as its name ("no name")',
        "tool 11 of its list needs a string as its name",
        "tool 12 of its list is not an object",
        '"twice" is listed 2 times; only the last is offered',
      ]);
      await source.close();
    }
  });

  it("an MCP tool with a shortened id is called by its full name", async () => {
    const source = mcpSource(oddServer(["--crowd"]));
    const long = (await source.list()).find(({ id }) => id.startsWith("odd.xxx"))!;
    await source.close();
    const result = await waybillOf(oddServer(["--crowd"])).execute(long.id);
    expect(textOf(result.data)).toBe(`called ${"x".repeat(300)}`);
  });

  it("an MCP tool with an invalid input schema fails, and other tools of the server can be called", async () => {
    const waybill = waybillOf(oddServer(["--crowd"]));
    const { error } = await waybill.execute("odd.bad-schema", { a: 1 });
    expect(error?.code).toBe("ADAPTER_UNSUPPORTED");
    expect((await waybill.execute("odd.add", add)).ok).toBe(true);
  });
});

describe("slow tools", () => {
  it("every progress report of a slow MCP tool extends its timeout", async () => {
    const pass = stopClock();
    const seen: number[] = [];
    let passing: Promise<void> | undefined;
    const onProgress = ({ progress }: { progress: number }): void => {
      seen.push(progress);
      // Advances the clock once for several reports, because on a busy machine they arrive
      // together.
      passing ??= pass(300).finally(() => (passing = undefined));
    };
    const waybill = waybillOf(oddServer([], { callTimeoutMs: 400, onProgress }));
    const result = await waybill.execute("odd.slow", { steps: 6, every: 150 });
    expect(textOf(result.data)).toBe("done");
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("progress reports of an MCP tool do not extend the deadline of the call", async () => {
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): void => void seen.push(progress);
    const waybill = waybillOf(oddServer([], { onProgress }));
    const pass = stopClock();
    const slow = waybill.execute("odd.slow", { steps: 1_000_000 }, { deadline_ms: 500 });
    // If the call ends too early, the test shows its result instead of a timeout.
    let early: ResultEnvelope | undefined;
    slow.then((result) => (early = result)).catch(() => {});
    await expect.poll(() => [early, seen.length > 1]).toEqual([undefined, true]);
    await pass(500);
    expect((await slow).error).toMatchObject({ code: "TIMEOUT", details: { outcome: "unknown" } });
  });

  it("a slow MCP tool is cancelled when the caller cancels the call", async () => {
    const log = join(temporaryFolder(), "cancels");
    const calls = join(temporaryFolder(), "calls");
    const waybill = waybillOf(oddServer([], { env: { CANCEL_LOG: log, CALL_LOG: calls } }));
    const given = new AbortController();
    const calling = waybill.execute("odd.silent", {}, { signal: given.signal });
    await expect.poll(() => linesOf(calls)).toEqual(["silent"]);
    given.abort();
    expect((await calling).error).toMatchObject({
      code: "CANCELLED",
      details: { outcome: "unknown" },
    });
    await expect.poll(() => linesOf(log)).toEqual(["cancelled"]);
  });
});
