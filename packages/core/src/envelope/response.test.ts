import { describe, expect, it } from "vitest";
import {
  RESPONSE_SOURCES,
  cliEnvelope,
  httpEnvelope,
  isResponseEnvelope,
  localEnvelope,
  mcpEnvelope,
  unwrap,
} from "./index.ts";
import type { ResponseEnvelope } from "./index.ts";

const http = { statusCode: 200, headers: { etag: "1" }, contentType: "application/json" };
const mcp = { isError: false, content: [{ type: "text" as const, text: "hi" }] };
const cli = { command: ["gh", "api"], exitCode: 0, durationMs: 12.5 };

const made: [source: string, envelope: ResponseEnvelope][] = [
  ["local", localEnvelope({ id: 1 }, "repo.view")],
  ["http", httpEnvelope({ id: 1 }, http)],
  ["mcp", mcpEnvelope({ id: 1 }, mcp)],
  ["cli", cliEnvelope({ id: 1 }, cli)],
];

describe("factories of response envelopes", () => {
  it("each response source has an envelope factory", () => {
    expect(made.map(([source]) => source)).toEqual(RESPONSE_SOURCES);
  });

  it.each(made)(
    "the envelope factory for the source %s returns data and source in an envelope that passes its type guard",
    (source, envelope) => {
      expect(Object.keys(envelope)).toEqual(["data", "meta"]);
      expect(unwrap(envelope)).toEqual({ id: 1 });
      expect(envelope.meta.source).toBe(source);
      expect(isResponseEnvelope(envelope)).toBe(true);
    },
  );

  it("the envelope factories copy the given meta unchanged", () => {
    expect(httpEnvelope(null, http).meta).toEqual({ source: "http", ...http });
    expect(mcpEnvelope(null, mcp).meta).toEqual({ source: "mcp", ...mcp });
    expect(cliEnvelope(null, cli).meta).toEqual({ source: "cli", ...cli });
  });

  it("localEnvelope writes a timestamp into the meta", () => {
    const before = Date.now();
    const { meta } = localEnvelope(undefined, "a.b");
    expect(meta).toMatchObject({ source: "local", operationId: "a.b" });
    expect((meta as { timestamp: number }).timestamp).toBeGreaterThanOrEqual(before);
  });

  it("mcpEnvelope keeps the failure that a tool reports as data", () => {
    const envelope = mcpEnvelope("no such file", { isError: true, content: [] });
    expect(envelope.meta).toMatchObject({ isError: true });
    expect(unwrap(envelope)).toBe("no such file");
  });
});

describe("headers of an HTTP envelope", () => {
  it.each([
    "set-cookie",
    "Set-Cookie",
    "SET-COOKIE2",
    "Cookie",
    "Authorization",
    "Proxy-Authorization",
  ])("an HTTP envelope never contains the header %s", (name) => {
    const headers = { [name]: "secret", "x-request-id": "7" };
    const { meta } = httpEnvelope(null, { ...http, headers });
    expect(meta).toMatchObject({ headers: { "x-request-id": "7" } });
    expect(JSON.stringify(meta)).not.toContain("secret");
    expect(headers[name]).toBe("secret");
  });
});

const localMeta = { source: "local", operationId: "a.b", timestamp: 1 };

function mcpWith(block: object): unknown {
  return { data: 1, meta: { source: "mcp", isError: false, content: [block] } };
}

function annotated(annotations: object): object {
  return { type: "text", text: "", annotations };
}

describe("guard of response envelopes", () => {
  it("isResponseEnvelope accepts valid optional members", () => {
    const facts = { conformance: "normalised", warnings: ["a"], sequence: 0 };
    const changes = [{ path: "/a", edit: "decoded" }];
    expect(isResponseEnvelope({ data: 1, meta: { ...localMeta, ...facts, changes } })).toBe(true);
    const annotations = { audience: ["user"], priority: 0.5, lastModified: "2026-01-01" };
    expect(isResponseEnvelope(mcpWith(annotated(annotations)))).toBe(true);
  });

  it("isResponseEnvelope accepts data that is undefined, as a handler without a return value gives", () => {
    expect(isResponseEnvelope(localEnvelope(undefined, "a.b"))).toBe(true);
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a string", "data"],
    ["an empty object", {}],
    ["a list", [1]],
    ["data without meta", { data: 1 }],
    ["meta without data", { meta: localMeta }],
    ["meta that is null", { data: 1, meta: null }],
    ["meta that is a list", { data: 1, meta: [] }],
    ["a member beside data and meta", { data: 1, meta: localMeta, links: {} }],
    ["data and meta that are inherited", Object.create({ data: 1, meta: localMeta })],
    ["an unknown source", { data: 1, meta: { ...localMeta, source: "ftp" } }],
    ["a payload that merely has data and meta.source", { data: [], meta: { source: "local" } }],
    [
      "a local envelope without a timestamp",
      { data: 1, meta: { source: "local", operationId: "a" } },
    ],
    [
      "a local envelope whose timestamp is not a number",
      { data: 1, meta: { ...localMeta, timestamp: NaN } },
    ],
    [
      "an http envelope without headers",
      { data: 1, meta: { ...http, source: "http", headers: null } },
    ],
    ["headers that are a list", { data: 1, meta: { ...http, source: "http", headers: [] } }],
    [
      "a header with a list of values",
      { data: 1, meta: { ...http, source: "http", headers: { a: ["1"] } } },
    ],
    [
      "a status that is a string",
      { data: 1, meta: { ...http, source: "http", statusCode: "200" } },
    ],
    [
      "an http envelope without a content type",
      { data: 1, meta: { ...http, source: "http", contentType: undefined } },
    ],
    ["an mcp envelope without isError", { data: 1, meta: { source: "mcp", content: [] } }],
    ["mcp content that is a string", { data: 1, meta: { ...mcp, source: "mcp", content: "hi" } }],
    ["mcp content without a type", { data: 1, meta: { ...mcp, source: "mcp", content: [{}] } }],
    ["a command that is a string", { data: 1, meta: { ...cli, source: "cli", command: "gh" } }],
    ["a command of numbers", { data: 1, meta: { ...cli, source: "cli", command: [1] } }],
    ["an exit code of null", { data: 1, meta: { ...cli, source: "cli", exitCode: null } }],
    ["warnings that are not a list", { data: 1, meta: { ...localMeta, warnings: 5 } }],
    ["warnings of numbers", { data: 1, meta: { ...localMeta, warnings: [5] } }],
    ["an unknown conformance", { data: 1, meta: { ...localMeta, conformance: "fine" } }],
    ["changes without an edit", { data: 1, meta: { ...localMeta, changes: [{ path: "/a" }] } }],
    ["a fractional sequence number", { data: 1, meta: { ...localMeta, sequence: 0.5 } }],
    ["a negative sequence number", { data: 1, meta: { ...localMeta, sequence: -1 } }],
    ["an mcp text block without text", mcpWith({ type: "text" })],
    ["an mcp image without a type", mcpWith({ type: "image", data: "" })],
    ["an mcp resource without an address", mcpWith({ type: "resource", resource: {} })],
    ["an mcp link without a name", mcpWith({ type: "resource_link", uri: "a:b" })],
    ["mcp content of an unknown type", mcpWith({ type: "constructor" })],
    ["an unknown mcp audience", mcpWith(annotated({ audience: ["cat"] }))],
    ["an mcp priority that is a string", mcpWith(annotated({ priority: "high" }))],
    ["an mcp _meta that is a string", { data: 1, meta: { ...mcp, source: "mcp", _meta: "x" } }],
    [
      "a cli envelope without a duration",
      { data: 1, meta: { ...cli, source: "cli", durationMs: undefined } },
    ],
  ])("isResponseEnvelope refuses %s", (_, value) => {
    expect(isResponseEnvelope(value)).toBe(false);
  });
});
