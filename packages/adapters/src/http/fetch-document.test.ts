import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeAttempt } from "@waybill/core/testing";
import { createHttpTransport, fetchDocument, nextUrl } from "./index.ts";
import type { HttpTransport, KeptDocument } from "./index.ts";
import { sendRepeatable } from "./send-repeatable.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/doc`;
}

function open(): HttpTransport {
  const transport = createHttpTransport();
  onTestFinished(() => transport.close());
  return transport;
}

const read = async (bytes: Buffer): Promise<string> => bytes.toString();

/** Fetches a document that has these headers, and returns the cached copy. */
async function keptWith(headers: Record<string, string>): Promise<KeptDocument> {
  const url = await serve((_request, response) => response.writeHead(200, headers).end("text"));
  const kept = new Map<string, KeptDocument>();
  const cache = {
    read: async (address: string) => kept.get(address),
    write: async (address: string, document: KeptDocument) => void kept.set(address, document),
  };
  await fetchDocument(url, open(), {
    read,
    accept: "*/*",
    maxBytes: 100,
    timeoutMs: 20_000,
    cache,
  });
  return kept.get(url)!;
}

/** Fetches a document that is in the cache, and returns the headers of the request. */
async function askedWith(kept: Partial<KeptDocument>): Promise<IncomingHttpHeaders> {
  const seen: IncomingHttpHeaders[] = [];
  const url = await serve((request, response) => {
    seen.push(request.headers);
    response.writeHead(304).end();
  });
  const old = { bytes: Buffer.from("old"), url, seenAt: 0, freshUntil: 0, ...kept };
  const cache = { read: async () => old, write: async () => {} };
  const options = { read, accept: "text/plain", maxBytes: 100, timeoutMs: 20_000, cache };
  expect(await fetchDocument(url, open(), options)).toEqual({ value: "old", url });
  return seen[0]!;
}

describe("fetchDocument", () => {
  it.each([
    [{ "cache-control": "max-age=60" }, 60_000],
    [{ "cache-control": "public, Max-Age=60", age: "20" }, 40_000],
    [{ "cache-control": "max-age=60", age: "90" }, 0],
    [{ "cache-control": "max-age=60, no-cache" }, 0],
    [{ "cache-control": "max-age=999999999" }, 86_400_000],
    [{}, 0],
  ])(
    "fetchDocument treats a document with the headers %j as fresh for %i ms",
    async (headers, fresh) => {
      const { seenAt, freshUntil } = await keptWith(headers);
      expect(freshUntil - seenAt).toBe(fresh);
    },
  );

  it("fetchDocument sends the ETag of the cached document, or else its Last-Modified date", async () => {
    expect(await askedWith({ etag: '"1"', lastModified: "yesterday" })).toMatchObject({
      "if-none-match": '"1"',
    });
    const dated = await askedWith({ lastModified: "yesterday" });
    expect([dated["if-modified-since"], dated["if-none-match"]]).toEqual(["yesterday", undefined]);
    expect(await askedWith({})).not.toHaveProperty("if-modified-since");
  });

  it("fetchDocument returns the ETag and Last-Modified headers of a document", async () => {
    const headers = { etag: '"1"', "last-modified": "yesterday" };
    expect(await keptWith(headers)).toMatchObject({ etag: '"1"', lastModified: "yesterday" });
    expect(await keptWith({})).not.toHaveProperty("lastModified");
  });
});

describe("requests that are refused", () => {
  const attempt = makeAttempt("read");

  it("the HTTP transport refuses the protocol ftp before it sends anything", async () => {
    await expect(open().send({ method: "GET", url: "ftp://host/" }, attempt)).rejects.toMatchObject(
      {
        message: "ftp: is not a supported protocol; use http: or https:",
        details: { code: "VALIDATION", outcome: "not_applied" },
      },
    );
  });

  it("the HTTP transport's error for status 400 does not mention a redirect", async () => {
    const url = await serve((_request, response) => response.writeHead(400).end());
    const sent = open().send({ method: "GET", url }, attempt);
    await expect(sent).rejects.toThrow(/^(?!.*redirect)/u);
  });

  it("the HTTP transport's refusal of a private host says how to allow that host", async () => {
    const transport = createHttpTransport({ allowPrivate: ["10.0.0.1"] });
    onTestFinished(() => transport.close());
    for (const url of ["http://127.0.0.1:9/", "http://localhost:9/"]) {
      await expect(transport.send({ method: "GET", url }, attempt)).rejects.toMatchObject({
        details: { code: "POLICY", hint: expect.stringContaining("allow_private") as string },
      });
    }
  });

  it("the HTTP transport does not repeat a request on a new connection after the caller cancelled the call", async () => {
    let asked = 0;
    const stop = new AbortController();
    const url = await serve((request, response) => {
      asked += 1;
      if (asked === 1) response.end("kept");
      else {
        stop.abort();
        request.socket.destroy();
      }
    });
    const transport = open();
    const repeatable = { ...attempt, isRepeatable: true, signal: stop.signal };
    await sendRepeatable(transport, { method: "GET", url }, repeatable);
    const second = sendRepeatable(transport, { method: "GET", url }, repeatable);
    await expect(second).rejects.toThrow("The caller cancelled the request");
    expect(asked).toBe(2);
  });
});

describe("nextUrl", () => {
  it("nextUrl skips a Link header target that is not a URL", () => {
    const link = '<http://[bad>; rel="next", </b?page=2>; rel="next"';
    expect(nextUrl(link)?.searchParams.get("page")).toBe("2");
  });
});
