import { createWaybill } from "@waybill/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { dataOf, describing, waybillOf } from "../fixtures/describe-api.ts";
import { answering, echo, serve } from "../fixtures/echo-server.ts";
import { openapiSource } from "../index.ts";
import type { OpenApiOptions } from "../index.ts";

type Raw = Record<string, unknown>;

const SCHEMES = {
  key: { type: "apiKey", in: "header", name: "X-Key" },
  query: { type: "apiKey", in: "query", name: "api_key" },
  cookie: { type: "apiKey", in: "cookie", name: "sid" },
  basic: { type: "http", scheme: "basic" },
  bearer: { type: "http", scheme: "bearer" },
  oauth: { type: "oauth2", flows: {} },
};
const SECRET = "s3cr3t-value";
const OPEN = "http://api.example.com";
const SAFE = "https://api.example.com";

function describingSecured(security: unknown, more: Raw = {}): Raw {
  const operation = { security, ...more };
  return describing(operation, { components: { securitySchemes: SCHEMES } });
}

interface Received {
  readonly url: string | undefined;
  readonly headers: Raw;
}

/** A server that records its requests, because Waybill removes credentials from responses. */
async function recording(): Promise<{ server: string; received: Received[] }> {
  const received: Received[] = [];
  const server = await serve((request, response) => {
    received.push({ url: request.url, headers: request.headers });
    void echo(request, response);
  });
  return { server, received };
}

async function sent(
  security: unknown,
  options: Partial<OpenApiOptions>,
  more: Raw = {},
  params: Raw = {},
): Promise<Received> {
  const { server, received } = await recording();
  const waybill = waybillOf(describingSecured(security, more), { server, ...options });
  dataOf(await waybill.execute("api.op", params));
  expect(received).toHaveLength(1);
  return received[0]!;
}

/** The address to which the key would be sent, or why it would not be sent. */
async function whereSent(
  document: object | undefined,
  options: Partial<OpenApiOptions>,
): Promise<string> {
  const credentials = { "*": SECRET };
  const source = openapiSource({ name: "api", document, credentials, ...options });
  const waybill = createWaybill({ sources: [source] });
  const result = await waybill.execute("api.op", {}, { dry_run: true });
  if (!result.ok) return result.error.message;
  const [request] = (result.data as { requests: { url: string; headers: Raw }[] }).requests;
  expect(request?.headers).toHaveProperty("x-key");
  return request?.url ?? "";
}

describe("credentials of an API", () => {
  it.each([
    ["key", SECRET, { "x-key": SECRET }],
    ["cookie", SECRET, { cookie: `sid=${SECRET}` }],
    ["basic", { username: "u", password: "p" }, { authorization: "Basic dTpw" }],
    ["bearer", SECRET, { authorization: `Bearer ${SECRET}` }],
    ["oauth", () => Promise.resolve(SECRET), { authorization: `Bearer ${SECRET}` }],
  ])(
    "openapiSource sends a credential for the security scheme %s",
    async (name, credential, headers) => {
      const request = await sent([{ [name]: [] }], { credentials: { [name]: credential } });
      expect(request.headers).toMatchObject(headers);
    },
  );

  it.each(["Host", "transfer-encoding", "Connection", "x key", "a\nb"])(
    "openapiSource does not send a credential as the header %j",
    async (name) => {
      const document = describing(
        { security: [{ key: [] }] },
        { components: { securitySchemes: { key: { type: "apiKey", in: "header", name } } } },
      );
      const server = await serve(echo);
      const { error } = await waybillOf(document, { server, credentials: { key: SECRET } }).execute(
        "api.op",
      );
      expect(error).toMatchObject({ code: "ADAPTER_UNSUPPORTED", retryable: false });
      expect(error?.message).toContain(`key needs a key in the header ${JSON.stringify(name)}`);
      // The inputs of the operation can still be described.
      const described = waybillOf(document, { server }).explain("api.op");
      expect(await described).toMatchObject({ capability_id: "api.op" });
    },
  );

  it("the error for a credential that cannot be a header value names the header but not the value", async () => {
    const server = await serve(echo);
    const options = { server, credentials: { key: `${SECRET}\nx` } };
    const { error } = await waybillOf(describingSecured([{ key: [] }]), options).execute("api.op");
    expect(error?.message).toBe(
      "The header x-key contains a character that headers do not allow; remove line breaks and special characters",
    );
    expect(JSON.stringify(error)).not.toContain(SECRET);
  });

  it("openapiSource can send a credential in the query", async () => {
    const { url } = await sent([{ query: [] }], { credentials: { query: SECRET } });
    expect(url).toBe(`/things?api_key=${SECRET}`);
  });

  it("openapiSource can read a credential from the environment", async () => {
    process.env["WAYBILL_TEST_KEY"] = SECRET;
    onTestFinished(() => void delete process.env["WAYBILL_TEST_KEY"]);
    const credentials = { key: { env: "WAYBILL_TEST_KEY" } };
    expect((await sent([{ key: [] }], { credentials })).headers).toMatchObject({ "x-key": SECRET });
  });

  it("an OpenAPI request gets the credentials of the first security alternative that is completely configured", async () => {
    const security = [
      { key: [], query: [] },
      { bearer: [], cookie: [] },
    ];
    const credentials = { key: "k", bearer: "b", cookie: "c" };
    const { url, headers } = await sent(security, { credentials });
    expect([url, headers["x-key"]]).toEqual(["/things", undefined]);
    expect(headers).toMatchObject({ authorization: "Bearer b", cookie: "sid=c" });
  });

  it('the credential for "*" is sent for only one security scheme of a request', async () => {
    const credentials = { "*": SECRET };
    const one = await sent([{ bearer: [] }], { credentials });
    expect(one.headers).toMatchObject({ authorization: `Bearer ${SECRET}` });
    const named = await sent([{ key: [], bearer: [] }], {
      credentials: { ...credentials, key: "k" },
    });
    expect(named.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, "x-key": "k" });
    const both = describingSecured([{ key: [], bearer: [] }]);
    const waybill = waybillOf(both, { server: SAFE, credentials });
    const { error } = await waybill.execute("api.op");
    expect(error?.message).toContain(
      'set credentials for key (the header X-Key) and bearer (bearer); the credential of "*" is used only if one scheme has no other',
    );
  });

  it("an API key that the description lists as a parameter is sent once", async () => {
    const parameters = [
      { in: "query", name: "api_key", required: true, schema: { type: "string" } },
    ];
    const security = [{ query: [] }];
    const options = { credentials: { query: SECRET } };
    for (const params of [{}, { api_key: "another" }]) {
      const { url } = await sent(security, options, { parameters }, params);
      expect(url).toBe(`/things?api_key=${SECRET}`);
    }
    const without = await sent([{ query: [] }, {}], {}, { parameters }, { api_key: "own" });
    expect(without.url).toBe("/things?api_key=own");
  });

  it("all API keys that are required parameters are sent, even if the security requires only one", async () => {
    const required = { required: true, schema: { type: "string" } };
    const parameters = [
      { name: "api_key", in: "query", ...required },
      { name: "X-Key", in: "header", ...required },
    ];
    const credentials = { query: "one", key: "two" };
    const received = await sent([{ query: [] }, { key: [] }], { credentials }, { parameters });
    expect(received.url).toContain("api_key=one");
    expect(received.headers).toMatchObject({ "x-key": "two" });
  });

  it("a credential that the API refuses is read again once, and the request is repeated", async () => {
    const seen: unknown[] = [];
    const server = await serve((request, response) => {
      seen.push(request.headers["x-key"]);
      const isGood = request.headers["x-key"] === "token-number-2";
      answering('{"id":1}', undefined, isGood ? 200 : 401)(request, response);
    });
    let reads = 0;
    const key = (refused?: readonly string[]): string => {
      if (reads === 0 || refused?.includes(`token-number-${reads}`) === true) reads += 1;
      return `token-number-${reads}`;
    };
    const waybill = waybillOf(describingSecured([{ key: [] }]), { server, credentials: { key } });
    expect(dataOf(await waybill.execute("api.op"))).toEqual({ id: 1 });
    expect(seen).toEqual(["token-number-1", "token-number-2"]);
    reads = 7;
    expect(await waybill.execute("api.op")).toMatchObject({ ok: false, error: { code: "AUTH" } });
    expect(seen.slice(2)).toEqual(["token-number-7", "token-number-8"]);
  });

  it("a request is not repeated if the API refuses a credential that cannot change", async () => {
    let asked = 0;
    const server = await serve((request, response) => {
      asked += 1;
      answering("{}", undefined, 401)(request, response);
    });
    const options = { server, credentials: { key: SECRET } };
    const { error } = await waybillOf(describingSecured([{ key: [] }]), options).execute("api.op");
    expect([error?.code, asked]).toEqual(["AUTH", 1]);
  });

  it("a call needs no credential if one security alternative requires none", async () => {
    expect((await sent([{ key: [] }, {}], {})).headers).not.toHaveProperty("x-key");
    expect((await sent([], {})).headers).not.toHaveProperty("x-key");
  });

  it("a call without its credentials sends nothing, and the error names the missing credentials", async () => {
    let asked = 0;
    const server = await serve((request, response) => {
      asked += 1;
      answering("{}")(request, response);
    });
    const waybill = waybillOf(describingSecured([{ key: [], query: [] }, { bearer: ["read"] }]), {
      server,
    });
    const { error } = await waybill.execute("api.op");
    expect(error).toMatchObject({ code: "AUTH", retryable: false });
    expect(error?.message).toContain(
      "set credentials for key (the header X-Key) and query (the query api_key), or bearer (bearer)",
    );
    expect(asked).toBe(0);
  });

  it("a credential is sent only to the hosts in the option hosts", async () => {
    const { server, received } = await recording();
    const servers = { servers: [{ url: server }] };
    const credentials = { "*": SECRET };
    const document = describingSecured([{ key: [] }], servers);
    const { error } = await waybillOf(document, { credentials }).execute("api.op");
    expect(error).toMatchObject({
      code: "AUTH",
      message: expect.stringContaining("hosts") as string,
    });
    const hosts = [new URL(server).host];
    dataOf(await waybillOf(document, { credentials, hosts }).execute("api.op"));
    expect(received).toMatchObject([{ headers: { "x-key": SECRET } }]);
  });

  it("a credential is not sent to a host that only the API description names", async () => {
    const { server, received } = await recording();
    const secured = { ...describingSecured([{ key: [] }]), servers: [{ url: server }] };
    const credentials = { "*": SECRET };
    const { error } = await waybillOf(secured, { credentials }).execute("api.op");
    const { host } = new URL(server);
    expect(error?.message).toContain(
      `not sent to http://${host}; to allow it, add the host to "hosts"`,
    );
    expect(received).toEqual([]);
    for (const written of [{ hosts: [host.toUpperCase()] }, { server }, { baseUrl: server }]) {
      dataOf(await waybillOf(secured, { credentials, ...written }).execute("api.op"));
      expect(received.pop()).toMatchObject({ headers: { "x-key": SECRET } });
    }
  });

  it("a credential is sent to the host that the API description was downloaded from", async () => {
    const secured = describingSecured([{ key: [] }]);
    const document = JSON.stringify({ ...secured, servers: [{ url: "/" }] });
    const keys: unknown[] = [];
    const server = await serve((request, response) => {
      const handler = request.url === "/openapi.json" ? answering(document) : echo;
      keys.push(request.headers["x-key"]);
      handler(request, response);
    });
    const source = openapiSource({
      name: "api",
      url: `${server}/openapi.json`,
      credentials: { "*": SECRET },
      allowPrivate: true,
    });
    dataOf(await createWaybill({ sources: [source] }).execute("api.op"));
    expect(keys).toEqual([undefined, SECRET]);
  });

  it("a credential for https is not sent over http", async () => {
    const secured = describingSecured([{ key: [] }], {
      servers: [{ url: "http://api.example.com" }],
    });
    const document = { ...secured, servers: [{ url: "https://api.example.com" }] };
    expect(await whereSent(document, { hosts: ["api.example.com"] })).toContain(
      'not sent to http://api.example.com; to allow it, add the host to "hosts" with http://',
    );
    // The fix that the error message suggests works.
    const hosts = ["api.example.com", "http://api.example.com"];
    expect(await whereSent(document, { hosts })).toBe("http://api.example.com/things");
  });

  it.each([
    [OPEN, { baseUrl: `${SAFE}/v1/` }],
    [OPEN, { baseUrl: `${SAFE}/v1/`, hosts: ["api.example.com"] }],
    [OPEN, { baseUrl: SAFE, server: OPEN }],
    [OPEN, { hosts: ["api.example.com"] }],
    ["http://127.0.0.1.example.com", { hosts: ["127.0.0.1.example.com"] }],
    ["http://localhost:9", { baseUrl: "https://localhost:9", hosts: ["localhost:9"] }],
    [SAFE, { hosts: ["ftp://api.example.com", "x@api.example.com", "api.example.com/"] }],
    [SAFE, { hosts: ["http://other.example.com"] }],
  ])("a credential is not sent to the server %s with the options %j", async (url, written) => {
    const document = { ...describingSecured([{ key: [] }]), servers: [{ url }] };
    const { host, protocol } = new URL(url);
    const named = protocol === "http:" ? url : host;
    expect(await whereSent(document, written)).toContain(
      `not sent to ${named}; to allow it, add the host to "hosts"`,
    );
  });

  it.each([
    [OPEN, { hosts: ["HTTP://API.example.com:80"] }],
    [OPEN, { baseUrl: SAFE, hosts: [OPEN] }],
    [OPEN, { baseUrl: OPEN }],
    [OPEN, { server: OPEN, hosts: ["api.example.com"] }],
    [SAFE, { baseUrl: OPEN }],
    [SAFE, { hosts: [OPEN] }],
    [SAFE, { hosts: ["api.example.com:443"] }],
    ["http://localhost:9", { hosts: ["localhost:9"] }],
    ["http://[::1]:9", { hosts: ["[::1]:9"] }],
  ])("a credential is sent to the server %s with the options %j", async (url, written) => {
    const document = { ...describingSecured([{ key: [] }]), servers: [{ url }] };
    expect(await whereSent(document, written)).toBe(`${url}/things`);
  });

  it.each([
    [OPEN, `${SAFE}/openapi.json`],
    ["/", `${OPEN}/openapi.json`],
  ])(
    "a credential is not sent over http for the server %s of a cached description from %s",
    async (server, from) => {
      const described = { ...describingSecured([{ key: [] }]), servers: [{ url: server }] };
      const times = { seenAt: Date.now(), freshUntil: Date.now() + 3_600_000 };
      const kept = { bytes: Buffer.from(JSON.stringify(described)), url: from, ...times };
      const cache = { read: () => Promise.resolve(kept), write: () => Promise.resolve() };
      const url = `${SAFE}/openapi.json`;
      expect(await whereSent(undefined, { url, cache })).toContain(`not sent to ${OPEN};`);
      const hosts = [OPEN];
      expect(await whereSent(undefined, { url, cache, hosts })).toBe(`${OPEN}/things`);
    },
  );

  it("credentials are dropped when the API redirects to another host", async () => {
    const { server: other, received } = await recording();
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: `${other}/there` }).end();
    });
    const parameters = [{ in: "header", name: "X-Session", schema: {} }];
    const security = [{ key: [], bearer: [], cookie: [] }];
    const waybill = waybillOf(describingSecured(security, { parameters }), {
      server,
      credentials: { key: SECRET, bearer: SECRET, cookie: SECRET },
    });
    dataOf(await waybill.execute("api.op", { "X-Session": SECRET }));
    expect(received).toMatchObject([{ url: "/there" }]);
    expect(JSON.stringify(received)).not.toContain(SECRET);
  });

  it.each([
    ["utf-16le", (text: string) => Buffer.from(text, "utf16le")],
    ["utf-16be", (text: string) => Buffer.from(text, "utf16le").swap16()],
    // The escape sequences between the letters disappear when the text is decoded.
    ["iso-2022-jp", (text: string) => Buffer.from(text.split("").join("\u001B(B"))],
  ])(
    "openapiSource redacts a credential that a response in the charset %s repeats",
    async (charset, encode) => {
      const headers = { "content-type": `application/json; charset=${charset}` };
      const body = encode(JSON.stringify({ message: SECRET, other: "größer".slice(0, 2) }));
      const security = [{ key: [] }];
      for (const status of [200, 422]) {
        const server = await serve(answering(body, headers, status));
        const options = { server, credentials: { key: SECRET } };
        const result = await waybillOf(describingSecured(security), options).execute("api.op");
        expect(JSON.stringify(result)).not.toContain(SECRET);
        expect(JSON.stringify(result)).toContain('{"message":"[redacted]","other":"gr"}');
      }
    },
  );

  it("credentials appear in no dry run and no error", async () => {
    const body = JSON.stringify({ message: `bad ${SECRET}`, sent: [SECRET] });
    const server = await serve(answering(body, undefined, 403));
    const security = [{ key: [], query: [], basic: [] }];
    const credentials = { key: SECRET, query: SECRET, basic: SECRET };
    const waybill = waybillOf(describingSecured(security), { server, credentials });
    const { error } = await waybill.execute("api.op");
    expect(error).toMatchObject({ code: "AUTH", details: { body: { sent: ["[redacted]"] } } });
    const shown = await waybill.execute("api.op", {}, { dry_run: true });
    expect(shown.ok).toBe(true);
    const text = JSON.stringify([error, shown]);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(Buffer.from(SECRET).toString("base64"));
  });

  it("explain names the OAuth scopes that an OpenAPI operation needs", async () => {
    const { notes } = await waybillOf(describingSecured([{ oauth: ["read", "write"] }])).explain(
      "api.op",
    );
    expect(notes).toEqual(["needs the scope read, write"]);
  });
});

describe("headers as inputs", () => {
  it.each(["Host", "Transfer-Encoding", "X-HTTP-Method-Override", "X-Original-URL", "Expect"])(
    "a header parameter that changes how a server processes the request is not an input: %s",
    async (name) => {
      const parameters = [{ in: "header", name, schema: { type: "string" } }];
      const waybill = waybillOf(describing({ parameters }), { server: OPEN });
      const { error } = await waybill.execute("api.op", { [name]: "DELETE" });
      expect(error?.code).toBe("VALIDATION");
    },
  );
});
