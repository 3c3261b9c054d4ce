import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { graphqlSource } from "@waybill/adapters/graphql";
import { createHttpTransport, restRoute } from "@waybill/adapters/http";
import type { HttpTransport } from "@waybill/adapters/http";
import { openapiSource } from "@waybill/adapters/openapi";
import { createWaybill } from "@waybill/core";
import type { ResultEnvelope, Source, Waybill } from "@waybill/core";
import { cardOperation, prepareCard } from "@waybill/core/cards";
import { mcpSource } from "@waybill/mcp/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../packages/adapters/src/openapi/fixtures/echo-server.ts";

/** A server that counts its requests. */
interface Upstream {
  readonly url: string;
  asked(): number;
}

interface Body {
  readonly type: string;
  readonly body: string | Buffer;
}

async function upstream({ type, body }: Body): Promise<Upstream> {
  let asked = 0;
  const url = await serve(async (request, response) => {
    await text(request);
    asked += 1;
    response.writeHead(200, { "content-type": type }).end(body);
  });
  return { url, asked: () => asked };
}

function open(source: Source): Waybill {
  const waybill = createWaybill({ sources: [source] });
  onTestFinished(() => waybill.close());
  return waybill;
}

function transport(): HttpTransport {
  const made = createHttpTransport();
  onTestFinished(() => made.close());
  return made;
}

const description = {
  openapi: "3.1.0",
  info: { title: "API", version: "1" },
  paths: { "/go": { get: { operationId: "go", responses: { 200: {} } } } },
};

function byOpenapi({ url }: Upstream): Promise<ResultEnvelope> {
  const document = { ...description, servers: [{ url }] };
  return open(openapiSource({ name: "api", document, allowPrivate: true })).execute("api.go");
}

function byGraphql({ url }: Upstream): Promise<ResultEnvelope> {
  const schema = "type Query { go: String }";
  const source = graphqlSource({
    name: "api",
    url,
    schema,
    transport: transport(),
    userAgent: "waybill-test",
  });
  return open(source).execute("api.query.go");
}

async function byCard({ url }: Upstream): Promise<ResultEnvelope> {
  const card = await prepareCard({
    capability_id: "api.go",
    version: "1.0.0",
    description: "Goes",
    effect: "read",
    input_schema: { type: "object", properties: {} },
    output_schema: {},
    routing: { preferred: "rest", fallbacks: [] },
    rest: { method: "GET", path: "/go", output: "@" },
  });
  const route = restRoute({ transport: transport(), userAgent: "waybill-test", baseUrl: url });
  return createWaybill({ operations: [cardOperation(card, { routes: [route] })] }).execute(
    "api.go",
  );
}

const ways = [
  ["an API by its description", byOpenapi],
  ["a GraphQL endpoint", byGraphql],
  ["a card over REST", byCard],
] as const;

describe.each(ways)("read of %s", (_name, call) => {
  it.each([
    ["truncated JSON", { type: "application/json", body: '{"data": {"go"' }],
    [
      "binary data with a JSON content type",
      { type: "application/json", body: Buffer.of(0, 255, 1) },
    ],
  ])("a read whose answer is %s is sent only once", async (_what, body) => {
    const server = await upstream(body);
    const { error } = await call(server);
    expect(error).toMatchObject({ code: "SERVER", retryable: false });
    expect(server.asked()).toBe(1);
  });

  it("bytes of an answer that are not valid UTF-8 cause a warning", async () => {
    const body = Buffer.concat([
      Buffer.from('{"data":{"go":"'),
      Buffer.of(0xe9),
      Buffer.from('"}}'),
    ]);
    const { meta } = await call(await upstream({ type: "application/json", body }));
    expect(meta.warnings).toContainEqual(expect.stringContaining("not valid UTF-8"));
  });
});

describe("binary content of type text", () => {
  it("binary content of a text type is kept as a file, byte for byte", async () => {
    const body = Buffer.from("89504e470d0a1a0aff00fe", "hex");
    const { data, meta } = await byOpenapi(await upstream({ type: "text/plain", body }));
    expect(data).toMatchObject({ size: body.length, base64: body.toString("base64") });
    expect(meta.warnings).toEqual([expect.stringContaining("it is binary")]);
  });
});

const RAW_SERVER = new URL("../packages/mcp/src/client/fixtures/raw-server.mjs", import.meta.url);

describe("idempotent MCP tool", () => {
  it.each(["no-result", "string-id"])(
    "an idempotent MCP tool whose answer is invalid is called once: %s",
    async (tool) => {
      const folder = mkdtempSync(join(tmpdir(), "waybill-once-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const log = join(folder, "log");
      const args = [RAW_SERVER.pathname, "--read-only"];
      const env = { RAW_SERVER_LOG: log };
      const source = mcpSource({
        name: "raw",
        command: process.execPath,
        args,
        env,
        trusted: true,
      });
      const { error } = await open(source).execute(`raw.${tool}`);
      expect(error).toMatchObject({ code: "SERVER", retryable: false });
      expect(readFileSync(log, "utf8")).toBe(`${tool}\n`);
    },
  );
});
