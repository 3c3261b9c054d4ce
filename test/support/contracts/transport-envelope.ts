import {
  RESPONSE_SOURCES,
  cliEnvelope,
  httpEnvelope,
  isResponseEnvelope,
  localEnvelope,
  mcpEnvelope,
  unwrap,
} from "@waybill/core";
import * as core from "@waybill/core";
import { createMCPClient, mapMCPContentBlocks } from "@waybill/mcp/client";
import { expect } from "vitest";
import { fits, here, type } from "./promised.ts";
import type { Promised } from "./promised.ts";

const http = { statusCode: 200, headers: { ETag: "1", "Set-Cookie": "a=b" }, contentType: "a/b" };
const mcp = { isError: false, content: [{ type: "text", text: "hi" } as const] };
const cli = { command: ["gh", "api"], exitCode: 0, durationMs: 3 };

export const TRANSPORT_ENVELOPE: Readonly<Record<string, Promised>> = {
  ResponseEnvelope: type,
  ResponseMeta: type,
  ResponseSource: type,
  LocalResponseMeta: type,
  HTTPResponseMeta: type,
  MCPResponseMeta: { from: here, differs: "structuredContent may be any JSON value" },
  CLIResponseMeta: { from: here, differs: "new: the source of answers from programs" },
  MCPContentBlock: type,
  MCPAnnotations: type,
  MCPResourceContent: type,
  localEnvelope: {
    from: here,
    shows: () =>
      expect(localEnvelope(1, "a.b")).toMatchObject({
        data: 1,
        meta: { source: "local", operationId: "a.b", timestamp: expect.any(Number) as unknown },
      }),
  },
  httpEnvelope: {
    from: here,
    differs: "leaves cookies and authorization out of the headers",
    shows: () =>
      expect(httpEnvelope(1, http)).toEqual({
        data: 1,
        meta: { source: "http", statusCode: 200, headers: { ETag: "1" }, contentType: "a/b" },
      }),
  },
  mcpEnvelope: {
    from: here,
    shows: () => expect(mcpEnvelope([], mcp).meta).toEqual({ source: "mcp", ...mcp }),
  },
  cliEnvelope: {
    from: here,
    differs: "new",
    shows: () => expect(cliEnvelope(1, cli).meta).toEqual({ source: "cli", ...cli }),
  },
  isResponseEnvelope: {
    from: here,
    differs:
      "requires the fields of the source too, so data that only looks like an envelope stays data",
    shows() {
      expect(isResponseEnvelope(localEnvelope(undefined, "a.b"))).toBe(true);
      expect(isResponseEnvelope({ data: 1, meta: { source: "local" } })).toBe(false);
    },
  },
  unwrap: { from: here, shows: () => expect(unwrap(localEnvelope(7, "a.b"))).toBe(7) },
  RESPONSE_SOURCES: {
    from: here,
    differs: "also has cli",
    shows: () => expect(RESPONSE_SOURCES).toEqual(["local", "http", "mcp", "cli"]),
  },
  ResponseEnvelopeSchema: {
    from: here,
    async shows() {
      expect(await fits(core.ResponseEnvelopeSchema, localEnvelope(1, "a.b"))).toBe(true);
      expect(await fits(core.ResponseEnvelopeSchema, { data: 1 })).toBe(false);
    },
  },
  ResponseMetaSchema: {
    from: here,
    async shows() {
      for (const meta of [mcpEnvelope(1, mcp), cliEnvelope(1, cli), httpEnvelope(1, http)]) {
        expect(await fits(core.ResponseMetaSchema, meta.meta)).toBe(true);
      }
    },
  },
  LocalResponseMetaSchema: {
    from: here,
    shows: async () =>
      expect(await fits(core.LocalResponseMetaSchema, localEnvelope(1, "a.b").meta)).toBe(true),
  },
  HTTPResponseMetaSchema: {
    from: here,
    shows: async () =>
      expect(await fits(core.HTTPResponseMetaSchema, httpEnvelope(1, http).meta)).toBe(true),
  },
  MCPResponseMetaSchema: {
    from: here,
    shows: async () =>
      expect(await fits(core.MCPResponseMetaSchema, mcpEnvelope(1, mcp).meta)).toBe(true),
  },
  CLIResponseMetaSchema: {
    from: here,
    differs: "new",
    shows: async () =>
      expect(await fits(core.CLIResponseMetaSchema, cliEnvelope(1, cli).meta)).toBe(true),
  },
  MCPContentBlockSchema: {
    from: here,
    async shows() {
      expect(await fits(core.MCPContentBlockSchema, mcp.content[0])).toBe(true);
      expect(await fits(core.MCPContentBlockSchema, { type: "smell" })).toBe(false);
    },
  },
  mapMCPContentBlocks: {
    from: "@waybill/mcp",
    shows: () =>
      expect(mapMCPContentBlocks([mcp.content[0], { type: "smell" }])).toEqual([
        mcp.content[0],
        { type: "text", text: '{"type":"smell"}' },
      ]),
  },
  createMCPClient: {
    from: "@waybill/mcp",
    differs: "takes the settings of a source and returns its operations",
    shows: () =>
      expect(createMCPClient({ name: "x", command: "no-such-program" })).rejects.toThrow(
        "no-such-program is not installed",
      ),
  },
};
