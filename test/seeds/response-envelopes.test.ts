import {
  CallError,
  CallEventSchema,
  HTTPResponseMetaSchema,
  LocalResponseMetaSchema,
  MCPContentBlockSchema,
  MCPResponseMetaSchema,
  OperationRegistry,
  PendingRequestMap,
  RESPONSE_SOURCES,
  ResponseEnvelopeSchema,
  ResponseMetaSchema,
  buildCallHandler,
  buildEnv,
  createWaybill,
  defineOperation,
  defineSubscription,
  httpEnvelope,
  isResponseEnvelope,
  localEnvelope,
  mcpEnvelope,
  subscribe,
  unwrap,
} from "@waybill/core";
import type {
  HTTPResponseMeta,
  LocalResponseMeta,
  MCPAnnotations,
  MCPContentBlock,
  MCPResourceContent,
  MCPResponseMeta,
  ResponseEnvelope,
  ResponseMeta,
  ResponseSource,
} from "@waybill/core";
import { loadChecker } from "@waybill/core/schema";
import { createMCPClient, mapMCPContentBlocks } from "@waybill/mcp";
import { describe, expect, it } from "vitest";
import {
  describing,
  waybillOf,
} from "../../packages/adapters/src/openapi/fixtures/describe-api.ts";
import { answering, serve } from "../../packages/adapters/src/openapi/fixtures/echo-server.ts";

const checker = await loadChecker();

const OUTPUT = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, size: { type: "integer", default: 3 } },
} as const;

const blocks: MCPContentBlock[] = [
  { type: "text", text: "a", annotations: { audience: ["user"], priority: 1 } },
  { type: "image", data: "AA==", mimeType: "image/png" },
  { type: "audio", data: "AA==", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "file:///a", text: "a" } },
  { type: "resource_link", uri: "file:///a", name: "a", description: "d", mimeType: "text/plain" },
];

/** A registry with an operation that returns the given value. */
function makeRegistry(
  handler: () => unknown,
  more: { readonly access?: { readonly all: readonly string[] } } = {},
): OperationRegistry {
  const registry = new OperationRegistry();
  registry.register(
    defineOperation({
      id: "thing.view",
      description: "Shows a thing",
      effect: "read",
      input: { type: "object", properties: { n: { type: "integer" } } },
      output: OUTPUT,
      ...more,
      handler: handler as never,
    }),
  );
  return registry;
}

function served(registry: OperationRegistry): PendingRequestMap {
  const map = new PendingRequestMap();
  map.serve(buildCallHandler({ registry, callMap: map }));
  return map;
}

describe("Types", () => {
  it("Waybill exports the response types under the names of the specification", () => {
    const local: LocalResponseMeta = { source: "local", operationId: "a.b", timestamp: 1 };
    const http: HTTPResponseMeta = {
      source: "http",
      statusCode: 200,
      headers: { "x-many": "a, b" },
      contentType: "application/json",
    };
    const mcp: MCPResponseMeta = { source: "mcp", isError: false, content: blocks };
    const resource: MCPResourceContent = { uri: "file:///a", blob: "AA==" };
    const notes: MCPAnnotations = { audience: ["user", "assistant"], lastModified: "2026-01-01" };
    const metas: ResponseMeta[] = [local, http, mcp];
    const sources: ResponseSource[] = ["local", "http", "mcp"];
    const envelopes: ResponseEnvelope[] = metas.map((meta) => ({ data: 1, meta }));
    expect(envelopes.every(isResponseEnvelope)).toBe(true);
    expect([sources.length, resource.uri, notes.audience?.length]).toEqual([3, "file:///a", 2]);
  });
});

describe("Detection", () => {
  it("isResponseEnvelope recognizes an envelope by its source, even after a JSON round trip", () => {
    expect(RESPONSE_SOURCES).toEqual(expect.arrayContaining(["local", "http", "mcp"]));
    const envelope = localEnvelope({ a: 1 }, "a.b");
    expect(isResponseEnvelope(envelope)).toBe(true);
    expect(isResponseEnvelope(JSON.parse(JSON.stringify(envelope)))).toBe(true);
    for (const other of [null, 1, {}, { data: 1 }, { data: 1, meta: { source: "ftp" } }]) {
      expect(isResponseEnvelope(other)).toBe(false);
    }
  });
});

describe("Factory Functions", () => {
  it("localEnvelope, httpEnvelope and mcpEnvelope make valid envelopes", () => {
    const http = { statusCode: 200, headers: {}, contentType: "text/plain" };
    const made = [
      localEnvelope(undefined, "a.b"),
      httpEnvelope("text", http),
      mcpEnvelope(
        { a: 1 },
        { isError: false, content: blocks, structuredContent: { a: 1 }, _meta: {} },
      ),
    ];
    expect(made.map(isResponseEnvelope)).toEqual([true, true, true]);
    expect(made[0]!.meta).toMatchObject({ source: "local", operationId: "a.b" });
    expect(Math.abs((made[0]!.meta as LocalResponseMeta).timestamp - Date.now())).toBeLessThan(
      60_000,
    );
  });
});

describe("Utility", () => {
  it("unwrap returns the data of an envelope", () => {
    expect(unwrap(localEnvelope({ a: 1 }, "a.b"))).toEqual({ a: 1 });
  });
});

describe("Schema Constants", () => {
  it("the envelope of each factory function matches the factory's schema", () => {
    const local = localEnvelope(1, "a.b");
    const http = httpEnvelope(1, { statusCode: 200, headers: {}, contentType: "" });
    const mcp = mcpEnvelope(1, { isError: false, content: blocks });
    for (const envelope of [local, http, mcp]) {
      expect(checker.compile(ResponseEnvelopeSchema).check(envelope)).toBe(true);
      expect(checker.compile(ResponseMetaSchema).check(envelope.meta)).toBe(true);
    }
    expect(checker.compile(LocalResponseMetaSchema).check(local.meta)).toBe(true);
    expect(checker.compile(HTTPResponseMetaSchema).check(http.meta)).toBe(true);
    expect(checker.compile(MCPResponseMetaSchema).check(mcp.meta)).toBe(true);
    for (const block of blocks)
      expect(checker.compile(MCPContentBlockSchema).check(block)).toBe(true);
  });
});

describe("Shared Result Pipeline", () => {
  it("the result pipeline wraps a raw value and passes an envelope of another source unchanged", async () => {
    const raw = await makeRegistry(() => ({ id: 1 })).execute("thing.view", {});
    expect(raw.meta).toMatchObject({ source: "local", operationId: "thing.view" });
    const foreign = mcpEnvelope({ id: 1, size: 1 }, { isError: false, content: [] });
    const passed = await makeRegistry(() => foreign).execute("thing.view", {});
    expect(passed.meta).toMatchObject({ source: "mcp", conformance: "exact" });
  });

  it("the result pipeline fills declared defaults and lists each change", async () => {
    const { data, meta } = await makeRegistry(() => ({ id: 1 })).execute("thing.view", {});
    expect(data).toEqual({ id: 1, size: 3 });
    expect(meta.changes).toEqual([{ path: "/size", edit: "defaulted" }]);
  });

  it("the result pipeline warns about a value that does not match the schema, without an error", async () => {
    const { data, meta } = await makeRegistry(() => ({ error: "not found" })).execute(
      "thing.view",
      {},
    );
    expect(data).toEqual({ error: "not found" });
    expect(meta.conformance).toBe("violated");
    expect(meta.warnings?.[0]).toContain("does not match its schema");
  });

  it("the result pipeline does not change an output without a schema", async () => {
    const registry = new OperationRegistry();
    registry.registerSpec({ id: "any.view", description: "Shows anything", effect: "read" });
    registry.registerHandler("any.view", (input: unknown) => input);
    const { data, meta } = await registry.execute("any.view", { free: [1] });
    expect(data).toEqual({ free: [1] });
    expect(meta).not.toHaveProperty("conformance");
    expect(registry.getSpec("any.view")?.id).toBe("any.view");
    expect(registry.getHandler("any.view")).toBeTypeOf("function");
  });

  it("the result pipeline computes conformance equally for local handlers, MCP tools and APIs", async () => {
    const text = '{"id":1,"size":2}';
    const local = await makeRegistry(() => text).execute("thing.view", {});
    const decoded = {
      isError: false,
      content: [],
      changes: [{ path: "", edit: "decoded" }],
    } as const;
    const tool = mcpEnvelope({ id: 1, size: 2 }, decoded as never);
    const mcp = await makeRegistry(() => tool).execute("thing.view", {});
    expect([local.meta.conformance, mcp.meta.conformance]).toEqual(["normalised", "normalised"]);
    const whole = await makeRegistry(() => ({ id: 1, size: 2 })).execute("thing.view", {});
    expect(whole.meta.conformance).toBe("exact");
  });
});

describe("OperationRegistry.execute()", () => {
  it("the registry trusts a call without an identity and checks the access of a call with an identity", async () => {
    const registry = makeRegistry(() => ({ id: 1 }), { access: { all: ["admin"] } });
    expect((await registry.execute("thing.view", {})).data).toMatchObject({ id: 1 });
    const call = registry.execute("thing.view", {}, { identity: { id: "ada", scopes: [] } });
    await expect(call).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("the registry throws a CallError for an invalid input and for a handler that throws", async () => {
    const wrong = makeRegistry(() => ({ id: 1 })).execute("thing.view", { n: "x" });
    await expect(wrong).rejects.toBeInstanceOf(CallError);
    const thrown = makeRegistry(() => {
      throw new CallError("EXECUTION_ERROR", "no");
    }).execute("thing.view", {});
    await expect(thrown).rejects.toMatchObject({ code: "EXECUTION_ERROR", message: "no" });
  });
});

describe("CallHandler", () => {
  it("the call handler wraps a handler's result and publishes call.responded", async () => {
    const map = served(makeRegistry(() => ({ id: 1 })));
    const envelope = await map.call("thing.view", {});
    expect(isResponseEnvelope(envelope)).toBe(true);
    expect(envelope.data).toEqual({ id: 1, size: 3 });
    const schema = checker.compile(CallEventSchema["call.responded"]);
    expect(schema.check({ type: "call.responded", requestId: "r", output: envelope })).toBe(true);
    expect(schema.check({ type: "call.responded", requestId: "r", output: { id: 1 } })).toBe(false);
  });

  it("the call handler returns OPERATION_NOT_FOUND for an unknown operation and an operation without a handler", async () => {
    const registry = new OperationRegistry();
    registry.registerSpec({ id: "lone.spec", description: "Has no handler" });
    const map = served(registry);
    await expect(map.call("nope.view", {})).rejects.toMatchObject({ code: "OPERATION_NOT_FOUND" });
    await expect(map.call("lone.spec", {})).rejects.toMatchObject({
      code: "OPERATION_NOT_FOUND",
      message: "No handler registered for operation: lone.spec",
    });
  });

  it("the call handler checks access before it validates the input", async () => {
    const map = served(makeRegistry(() => ({ id: 1 }), { access: { all: ["admin"] } }));
    const identity = { id: "ada", scopes: [] };
    const call = map.call("thing.view", { n: "x" }, { identity });
    await expect(call).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("the call handler returns a tool answer with isError as an answer, not as call.error", async () => {
    const failed = mcpEnvelope([], { isError: true, content: [{ type: "text", text: "no" }] });
    const { meta } = await served(makeRegistry(() => failed)).call("thing.view", {});
    expect(meta).toMatchObject({ source: "mcp", isError: true });
  });

  it("the call handler passes request id, identity and deadline to the operation's handler", async () => {
    const seen: unknown[] = [];
    const registry = new OperationRegistry();
    registry.register(
      defineOperation({
        id: "who.calls",
        description: "Tells who calls",
        effect: "read",
        handler: (_input, { requestId, identity, deadline }) => {
          seen.push(requestId, identity?.id, typeof deadline);
        },
      }),
    );
    const identity = { id: "ada", scopes: [] };
    const deadline = Date.now() + 600_000;
    await served(registry).call("who.calls", {}, { requestId: "r1", identity, deadline });
    expect(seen).toEqual(["r1", "ada", "number"]);
  });
});

describe("PendingRequestMap", () => {
  it("PendingRequestMap throws when respond() gets a raw value", () => {
    const map = new PendingRequestMap();
    expect(() => map.respond("r1", { id: 1 } as never)).toThrow("ResponseEnvelope");
  });

  it("a void result is sent as null on a JSON transport", async () => {
    const { data } = await served(makeRegistry(() => undefined)).call("thing.view", {});
    const sent = JSON.parse(JSON.stringify(localEnvelope(data ?? null, "thing.view"))) as unknown;
    expect(isResponseEnvelope(sent)).toBe(true);
  });
});

describe("subscribe()", () => {
  it("subscribe wraps each yielded value with a timestamp and passes envelopes unchanged", async () => {
    const registry = new OperationRegistry();
    registry.register(
      defineSubscription({
        id: "tick.follow",
        description: "Ticks",
        effect: "read",
        async *handler() {
          yield 1;
          yield httpEnvelope(2, { statusCode: 200, headers: {}, contentType: "" });
        },
      }),
    );
    const seen: ResponseEnvelope[] = [];
    for await (const envelope of subscribe(registry, "tick.follow", {})) seen.push(envelope);
    expect(seen.map(({ data, meta }) => [data, meta.source])).toEqual([
      [1, "local"],
      [2, "http"],
    ]);
  });

  it("subscribe parses the input of a subscription only once", async () => {
    const follow = defineSubscription({
      id: "number.follow",
      description: "Counts from a number",
      effect: "read",
      input: numberAsText,
      async *handler(input) {
        yield input;
      },
    });
    const waybill = createWaybill({ operations: [follow] });
    const seen: unknown[] = [];
    for await (const { data } of waybill.subscribe("number.follow", { n: "5" })) seen.push(data);
    expect(seen).toEqual([{ n: 5 }]);
  });
});

/** A Standard Schema that accepts a number as a string and returns the number. */
const numberAsText = {
  "~standard": {
    version: 1,
    vendor: "test",
    jsonSchema: {
      input: () => ({ type: "object", properties: { n: { type: "string" } } }),
      output: () => ({ type: "object", properties: { n: { type: "number" } } }),
    },
    validate: (value: unknown) =>
      typeof (value as { n?: unknown }).n === "string"
        ? { value: { n: Number((value as { n: string }).n) } }
        : { issues: [{ message: "must be a string", path: ["n"] }] },
  },
} as const;

describe("buildEnv()", () => {
  it("the functions of buildEnv() return envelopes", async () => {
    const env = buildEnv(makeRegistry(() => ({ id: 1 })));
    const envelope = await env["thing"]!["view"]!({});
    expect(isResponseEnvelope(envelope)).toBe(true);
  });
});

describe("MCP Adapter", () => {
  it("@waybill/mcp exports createMCPClient and mapMCPContentBlocks", () => {
    expect(createMCPClient).toBeTypeOf("function");
    expect(mapMCPContentBlocks([...blocks])).toEqual(blocks);
  });

  it("mapMCPContentBlocks turns a content block of an unknown type into its JSON text", () => {
    const odd = { type: "hologram", depth: 3 };
    expect(mapMCPContentBlocks([odd])).toEqual([{ type: "text", text: JSON.stringify(odd) }]);
  });

  it("mapMCPContentBlocks keeps all fields of a resource link", () => {
    const link = {
      type: "resource_link",
      uri: "file:///a",
      name: "a",
      title: "A",
      description: "The letter",
      mimeType: "text/plain",
      size: 3,
      icons: [{ src: "data:,", mimeType: "image/png", sizes: ["48x48"] }],
      annotations: { audience: ["user"], priority: 1, lastModified: "2026-01-01T00:00:00Z" },
      _meta: { "example.com/shelf": 2 },
    };
    const content = mapMCPContentBlocks([link]);
    expect(content).toEqual([link]);
    expect(isResponseEnvelope(mcpEnvelope(content, { isError: false, content }))).toBe(true);
  });
});

/** An API whose answer has this schema. */
function describeThing(schema: object): ReturnType<typeof describing> {
  return describing({ responses: { 200: { content: { "application/json": { schema } } } } });
}

describe("OpenAPI Adapter", () => {
  it("an OpenAPI operation fills declared defaults of the API's answer", async () => {
    const server = await serve(answering('{"id":1}'));
    const waybill = waybillOf(describeThing(OUTPUT), { server });
    const { data } = await waybill.execute("api.op");
    expect(data).toEqual({ id: 1, size: 3 });
  });

  it("an OpenAPI operation does not fill a default that the default's own schema rejects", async () => {
    const wrong = { type: "object", properties: { size: { type: "integer", default: "three" } } };
    const server = await serve(answering('{"id":1}'));
    const { data } = await waybillOf(describeThing(wrong), { server }).execute("api.op");
    expect(data).toEqual({ id: 1 });
  });

  it("an OpenAPI operation reads JSON and text by content type, and returns an error for an error status", async () => {
    const text = await serve(answering("a\nb", { "content-type": "text/plain" }));
    expect(await waybillOf(describeThing({}), { server: text }).execute("api.op")).toMatchObject({
      ok: true,
      data: "a\nb",
    });
    const gone = await serve(answering("{}", undefined, 404));
    const { error } = await waybillOf(describeThing({}), { server: gone }).execute("api.op");
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { status: 404 } });
  });
});

describe("outputSchema and Validation", () => {
  it("the output schema of an operation validates the data and not the envelope", async () => {
    const { meta } = await makeRegistry(() => ({ id: 1, size: 1 })).execute("thing.view", {});
    expect(meta.conformance).toBe("exact");
  });
});
