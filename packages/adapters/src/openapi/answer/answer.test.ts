import { memoryHandles, memoryJournal } from "@waybill/core";
import type { WaybillOptions } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { describe, expect, it } from "vitest";
import { dataOf, describing, sourceOf, waybillOf } from "../fixtures/describe-api.ts";
import { answering, serve } from "../fixtures/echo-server.ts";
import type { OpenApiOptions } from "../index.ts";

type Handler = Parameters<typeof serve>[0];
type Raw = Record<string, unknown>;

const PNG = Buffer.from("89504e470d0a1a0a00", "hex");
const OUTPUT = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };

interface Setting {
  readonly operation?: Raw;
  readonly method?: string;
  readonly options?: Partial<OpenApiOptions>;
  readonly more?: WaybillOptions;
}

async function waybillFor(handler: Handler, setting: Setting = {}) {
  const { operation = {}, method = "get", options = {}, more } = setting;
  const document = describing(operation, {}, "/things", method);
  return waybillOf(document, { server: await serve(handler), ...options }, more);
}

async function run(handler: Handler, setting: Setting = {}) {
  return (await waybillFor(handler, setting)).execute("api.op");
}

const example = { id: "api.op", input: { n: 1 }, data: { id: 1 }, badInput: { n: "x" } };
const makeSource = async () => {
  const parameters = [{ in: "query", name: "n", schema: { type: "integer" } }];
  const content = { "application/json": { schema: OUTPUT } };
  const document = describing({ parameters, responses: { 200: { content } } });
  return sourceOf(document, { server: await serve(answering('{"id":1}')) });
};

describe("openapiSource: responses", () => {
  for (const statement of sourceContract(makeSource, example)) {
    it(statement.name, () => expect(statement.run()).resolves.toBeUndefined());
  }
});

describe("response bodies", () => {
  it.each([
    ["JSON", '{"id":1}', "application/json; charset=utf-8", { id: 1 }],
    ["JSON with a +json type", '{"id":1}', "application/vnd.things+json", { id: 1 }],
    ["text", "a\nb", "text/plain", "a\nb"],
    ["text in its own charset", Buffer.from([0xe9]), "text/plain; charset=latin1", "é"],
    ["XML", "<a/>", "application/xml", "<a/>"],
    ["an empty body", "", "application/json", null],
    ["JSON without a content type", "[1]", undefined, [1]],
  ])("openapiSource decodes a response that contains %s", async (_name, body, type, data) => {
    const headers = type === undefined ? {} : { "content-type": type };
    expect(dataOf(await run(answering(body, headers)))).toEqual(data);
  });

  it("openapiSource returns null for a response with status 204", async () => {
    expect(dataOf(await run(answering("", {}, 204)))).toBeNull();
  });

  it("openapiSource refuses a response with millions of values, and does not send the write again", async () => {
    let requests = 0;
    const body = `[${"{},".repeat(2_000_000)}{}]`;
    const handler: Handler = (request, response) => {
      requests += 1;
      return answering(body)(request, response);
    };
    const { error } = await run(handler, { method: "post" });
    expect(error).toMatchObject({
      code: "TOO_LARGE",
      message: "The JSON has more than 2000000 values",
      details: { outcome: "applied" },
    });
    expect(requests).toBe(1);
  });

  it("openapiSource returns an undocumented response unchanged, with a warning", async () => {
    const content = { "application/json": { schema: OUTPUT } };
    const operation = { responses: { 200: { content } } };
    const result = await run(answering('{"error":"none"}'), { operation });
    expect(dataOf(result)).toEqual({ error: "none" });
    expect(result.meta.warnings).toEqual([expect.stringContaining("/id is required")]);
  });

  it("a write whose response is malformed JSON fails and is reported as applied", async () => {
    const { error } = await run(answering('{"id":'), { method: "post" });
    expect(error).toMatchObject({
      code: "SERVER",
      retryable: false,
      details: { outcome: "applied" },
    });
  });
});

describe("files in a response", () => {
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": 'attachment; filename="../a.png"',
  };
  const facts = { size: 9, content_type: "image/png", filename: "a.png" };

  it("openapiSource stores a file in a response under a handle", async () => {
    const handles = memoryHandles();
    const setting = { options: { handles }, more: { handles } };
    const waybill = await waybillFor(answering(PNG, headers), setting);
    const data = dataOf(await waybill.execute("api.op")) as { handle: string };
    expect(data).toEqual({ ...facts, handle: expect.any(String) as string });
    const { data: page } = await waybill.execute("result.read", { handle: data.handle });
    expect(page).toMatchObject({ value: PNG.toString("base64") });
  });

  it("openapiSource returns a small file of a response as base64 if there is no handle store", async () => {
    const data = dataOf(await run(answering(PNG, headers)));
    expect(data).toEqual({ ...facts, base64: PNG.toString("base64") });
  });

  it("openapiSource leaves out a large file of a response, with a warning, if there is no handle store", async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(100_000)]);
    const result = await run(answering(large, headers));
    expect(result).toMatchObject({
      data: { size: 100_009 },
      meta: {
        warnings: [
          "The file was left out, because the source has no store for files (option handles)",
        ],
      },
    });
    expect(result.data).not.toHaveProperty("base64");
  });

  it("a stored file can be sent as a request body by its handle", async () => {
    const handles = memoryHandles();
    const operation = { requestBody: { content: { "image/png": {} } } };
    const source = sourceOf(describing(operation, {}, "/t", "post"), { handles });
    const sent = async (handle: string): Promise<string> =>
      String((await source.preview("api.op", { body: { handle } })).body);
    const info = { capability_id: "x.y" };
    expect(await sent(await handles.put("aGk=", { ...info, encoding: "base64" }))).toBe("hi");
    expect(await sent(await handles.put("aGk=", info))).toBe("aGk=");
    expect(await sent(await handles.put('"a \\"text\\""', info))).toBe('a "text"');
    expect(await sent(await handles.put('{"a":1}', info))).toBe('{"a":1}');
    expect(await sent(await handles.put('"half', info))).toBe('"half');
  });

  it("only the caller that received a stored file can read or send the file", async () => {
    const handles = memoryHandles();
    const sent: string[] = [];
    const handler: Handler = (request, response) => {
      if (request.method !== "POST") return answering(PNG, headers)(request, response);
      request.on("data", (chunk: Buffer) => sent.push(chunk.toString("base64")));
      request.on("end", () => response.end());
    };
    const paths = {
      "/got": { get: { operationId: "get" } },
      "/put": {
        post: { operationId: "put", requestBody: { content: { "image/png": {} } } },
      },
    };
    const document = { openapi: "3.1.0", info: { title: "t", version: "1" }, paths };
    const server = await serve(handler);
    const waybill = waybillOf(document, { server, handles }, { handles });
    const [owner, other] = ["a", "b"].map((id) => waybill.as({ id, scopes: [] }));
    const { handle } = dataOf(await owner!.execute("api.get")) as { handle: string };
    const body = { handle };
    expect((await other!.execute("result.read", { handle })).error?.code).toBe("NOT_FOUND");
    expect((await other!.execute("api.put", { body })).error?.code).toBe("NOT_FOUND");
    const shown = await other!.execute("api.put", { body }, { dry_run: true });
    expect(shown.error?.code).toBe("NOT_FOUND");
    expect(sent).toEqual([]);
    expect((await owner!.execute("api.put", { body })).ok).toBe(true);
    expect(sent).toEqual([PNG.toString("base64")]);
  });

  it.each([
    ['attachment; filename="a b.png"', "a b.png"],
    ["attachment; filename=a.png; size=3", "a.png"],
    [String.raw`attachment; filename="say \"hi\".png"`, 'say "hi".png'],
    ["attachment; filename*=UTF-8''na%C3%AFve%20file.png", "naïve file.png"],
    ["attachment; filename=\"plain.png\"; filename*=utf-8'en'%e2%82%ac%20rates.png", "€ rates.png"],
    ["attachment; filename*=iso-8859-1'en'%A3%20rates.png", "£ rates.png"],
    ["attachment; filename*=UTF-8''%E0%A4%A; filename=\"plain.png\"", "plain.png"],
    ["attachment; filename*=UTF-8''%FF%FE; filename=\"plain.png\"", "plain.png"],
    ["attachment; filename*=none''x.png; filename=\"plain.png\"", "plain.png"],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"],
    ["attachment; filename*=UTF-8''a%00%0Ab.png", "ab.png"],
    ["attachment; filename=", undefined],
    ["attachment", undefined],
  ])(
    "openapiSource reads the name of a file from the Content-Disposition header %s",
    async (disposition, filename) => {
      const named = { ...headers, "content-disposition": disposition };
      const data = dataOf(await run(answering(PNG, named))) as { filename?: string };
      expect(data.filename).toBe(filename);
    },
  );
});

describe("error responses", () => {
  it("the error for an error response contains the upstream's message", async () => {
    const body = { message: "Nope", errors: [{ field: "a" }] };
    const { error } = await run(answering(JSON.stringify(body), undefined, 422));
    expect(error).toMatchObject({
      code: "VALIDATION",
      message: "The upstream answered 422: Nope (a)",
      details: { status: 422, body },
    });
  });

  it("the error for a response with Retry-After says when to call again", async () => {
    const headers = { "content-type": "text/plain", "retry-after": "100" };
    const { error } = await run(answering("slow down", headers, 429));
    expect(error).toMatchObject({
      code: "RATE_LIMIT",
      retryable: true,
      details: { retry_after_ms: 100_000, body: "slow down" },
    });
  });

  it("a read that gets a 503 is sent again, and a write that gets a 503 is not", async () => {
    let asked = 0;
    const flaky: Handler = (request, response) => {
      asked += 1;
      answering("{}", undefined, asked === 1 ? 503 : 200)(request, response);
    };
    expect((await run(flaky)).ok).toBe(true);
    asked = 0;
    const { error } = await run(flaky, { method: "post" });
    expect(error).toMatchObject({
      code: "SERVER",
      retryable: false,
      details: { outcome: "unknown" },
    });
    expect(asked).toBe(1);
  });
});

describe("limits of a response", () => {
  it("openapiSource returns TOO_LARGE for a response over the limit", async () => {
    const options = { limits: { responseBytes: 1_000 } };
    const { error } = await run(answering("x".repeat(2_000)), { options });
    expect(error).toMatchObject({ code: "TOO_LARGE" });
  });

  it("openapiSource returns TIMEOUT for a call that exceeds its deadline", async () => {
    const waybill = await waybillFor(() => {});
    const { error } = await waybill.execute("api.op", {}, { deadline_ms: 100 });
    expect(error).toMatchObject({ code: "TIMEOUT" });
  });

  it("openapiSource returns POLICY for a private address that is not allowed", async () => {
    const { error } = await run(answering("{}"), { options: { allowPrivate: false } });
    expect(error).toMatchObject({ code: "POLICY" });
  });
});

describe("effects of an operation", () => {
  it.each([
    ["get", "read", true],
    ["head", "read", true],
    ["put", "write", true],
    ["post", "write", false],
    ["patch", "write", false],
    ["delete", "destructive", true],
  ])(
    "an OpenAPI operation with the method %s has the effect %s",
    async (method, effect, idempotent) => {
      const [summary] = await sourceOf(describing({}, {}, "/t", method)).list();
      expect(summary).toMatchObject({ effect, idempotent });
    },
  );

  it("the option overrides replaces the effect and the description of an OpenAPI operation", async () => {
    const overrides = {
      op: { effect: "read", idempotent: true, description: "Searches" },
    } as const;
    const [summary] = await sourceOf(describing({}, {}, "/t", "post"), { overrides }).list();
    expect(summary).toMatchObject({ effect: "read", idempotent: true, description: "Searches" });
  });

  it("openapiSource sends the idempotency key of a write to an API that accepts such keys", async () => {
    const keys: unknown[] = [];
    const parameters = [{ in: "header", name: "Idempotency-Key", required: true, schema: {} }];
    const handler: Handler = (request, response) => {
      keys.push(request.headers["idempotency-key"]);
      answering("{}", undefined, keys.length === 1 ? 500 : 200)(request, response);
    };
    const more = { journal: memoryJournal() };
    const waybill = await waybillFor(handler, { operation: { parameters }, method: "post", more });
    const options = { idempotency_key: "k1" };
    expect((await waybill.execute("api.op", {}, options)).ok).toBe(true);
    expect(keys).toEqual(["k1", "k1"]);
    expect((await waybill.execute("api.op", {}, options)).meta.replayed).toBe(true);
  });
});
