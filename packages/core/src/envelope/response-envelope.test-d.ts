import { expectTypeOf, it } from "vitest";
import { httpEnvelope, localEnvelope, mcpEnvelope, unwrap } from "./index.ts";
import type {
  CLIResponseMeta,
  HTTPResponseMeta,
  LocalResponseMeta,
  MCPResponseMeta,
  ResponseEnvelope,
} from "./index.ts";

declare const response: ResponseEnvelope<number>;

it("a check of a response envelope's source narrows the type of its meta", () => {
  const { meta } = response;
  if (meta.source === "http") expectTypeOf(meta).toExtend<HTTPResponseMeta>();
  if (meta.source === "mcp") expectTypeOf(meta).toExtend<MCPResponseMeta>();
  if (meta.source === "local") expectTypeOf(meta).toExtend<LocalResponseMeta>();
  if (meta.source === "cli") expectTypeOf(meta).toExtend<CLIResponseMeta>();
  // @ts-expect-error Only an HTTP response has a status code.
  expectTypeOf(meta.statusCode).toBeNumber();
});

it("a response envelope keeps the type of its data", () => {
  expectTypeOf(unwrap(response)).toEqualTypeOf<number>();
  expectTypeOf(localEnvelope("text", "a.b")).toExtend<ResponseEnvelope<string>>();
  expectTypeOf(httpEnvelope).returns.toExtend<ResponseEnvelope>();
  expectTypeOf(mcpEnvelope).returns.toExtend<ResponseEnvelope>();
});
