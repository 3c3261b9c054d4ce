import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { documentCache } from "../../http/index.ts";
import type { DocumentCache } from "../../http/index.ts";
import { describing } from "../fixtures/describe-api.ts";
import { serve } from "../fixtures/echo-server.ts";
import { openapiSource } from "../index.ts";
import type { OpenApiSource } from "../index.ts";

interface Site {
  readonly url: string;
  readonly asked: IncomingHttpHeaders[];
  status: number;
  headers: OutgoingHttpHeaders;
  document: object | string;
}

/** A site that publishes a description. Tests can change its answers. */
async function publish(headers: OutgoingHttpHeaders = {}): Promise<Site> {
  const asked: IncomingHttpHeaders[] = [];
  const origin = await serve((request, response) => {
    asked.push(request.headers);
    const isSame = request.headers["if-none-match"] === site.headers["etag"];
    const status = isSame && site.headers["etag"] !== undefined ? 304 : site.status;
    response.writeHead(status, site.headers);
    const { document } = site;
    const text = typeof document === "string" ? document : JSON.stringify(document);
    response.end(status === 304 ? undefined : text);
  });
  const url = `${origin}/openapi.json`;
  const site: Site = { url, asked, status: 200, headers, document: describing({}) };
  return site;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-descriptions-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function source({ url }: Pick<Site, "url">, cache: DocumentCache): OpenApiSource {
  const made = openapiSource({ name: "api", url, cache, allowPrivate: true });
  onTestFinished(() => made.close());
  return made;
}

async function ids(made: OpenApiSource): Promise<string[]> {
  return (await made.list()).map(({ id }) => id);
}

describe("descriptions at a URL", () => {
  it("openapiSource requests a cached description again with its ETag, and downloads it only if it changed", async () => {
    const site = await publish({ etag: '"one"' });
    const cache = documentCache(await temporaryFolder());
    expect(await ids(source(site, cache))).toEqual(["api.op"]);
    expect(await ids(source(site, cache))).toEqual(["api.op"]);
    expect(site.asked.map((headers) => headers["if-none-match"])).toEqual([undefined, '"one"']);
    site.headers = { etag: '"two"' };
    site.document = describing({ operationId: "new" });
    expect(await ids(source(site, cache))).toEqual(["api.new"]);
    expect(await ids(source(site, cache))).toEqual(["api.new"]);
    expect(site.asked.at(-1)?.["if-none-match"]).toBe('"two"');
  });

  it("openapiSource does not request a description again while it is fresh, for at most a day", async () => {
    const site = await publish({ "cache-control": "public, max-age=99999999", age: "10" });
    const cache = documentCache(await temporaryFolder());
    await ids(source(site, cache));
    await ids(source(site, cache));
    expect(site.asked).toHaveLength(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_001 });
    onTestFinished(() => void vi.useRealTimers());
    await ids(source(site, cache));
    expect(site.asked).toHaveLength(2);
  });

  it.each(["no-cache, max-age=600", "max-age=0", "max-age=ten", ""])(
    "openapiSource requests a description every time if its cache-control is %j",
    async (control) => {
      const site = await publish({ "cache-control": control });
      const cache = documentCache(await temporaryFolder());
      await ids(source(site, cache));
      await ids(source(site, cache));
      expect(site.asked).toHaveLength(2);
    },
  );

  it("openapiSource uses the cached description, with a warning, while the URL is unreachable", async () => {
    const site = await publish();
    const cache = documentCache(await temporaryFolder());
    const first = source(site, cache);
    await ids(first);
    expect(first.problems?.()).toEqual([]);
    site.status = 503;
    const second = source(site, cache);
    expect(await ids(second)).toEqual(["api.op"]);
    expect(second.problems?.()).toMatchObject([{ source: "api", operationId: "" }]);
    expect(second.problems?.()[0]?.message).toMatch(/^the copy from 20/u);
    const gone = source({ url: "http://127.0.0.1:9/openapi.json" }, cache);
    await expect(gone.list()).rejects.toThrow("ECONNREFUSED");
  });

  it("openapiSource does not use the cached description if the URL returns 404", async () => {
    const site = await publish();
    const cache = documentCache(await temporaryFolder());
    await ids(source(site, cache));
    site.status = 404;
    await expect(source(site, cache).list()).rejects.toThrow("404");
  });

  it("openapiSource does not cache a description with cache-control: no-store", async () => {
    const site = await publish({ "cache-control": "no-store" });
    const folder = await temporaryFolder();
    await ids(source(site, documentCache(folder)));
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.each([
  ["a part of a description", '{"openapi":"3.1.0","paths":{"/x":'],
  ["a web page", "<html>"],
  ["an error in JSON", '{"error":"try later"}'],
])("a malformed description at a URL: %s", (_what, broken) => {
  it("openapiSource does not cache a malformed description, even with a max-age header", async () => {
    const site = await publish({ "cache-control": "max-age=3600" });
    site.document = broken;
    const folder = await temporaryFolder();
    const cache = documentCache(folder);
    await expect(source(site, cache).list()).rejects.toThrow("cannot be used");
    expect(await readdir(folder)).toEqual([]);
    site.document = describing({});
    expect(await ids(source(site, cache))).toEqual(["api.op"]);
  });

  it("openapiSource uses the cached description, with a warning, if the URL returns a malformed description", async () => {
    const site = await publish();
    const cache = documentCache(await temporaryFolder());
    await ids(source(site, cache));
    site.headers = { "cache-control": "max-age=3600" };
    site.document = broken;
    const second = source(site, cache);
    expect(await ids(second)).toEqual(["api.op"]);
    expect(second.problems?.()[0]?.message).toMatch(
      /^the copy from 20.* is used, because its current version is not usable: it /u,
    );
    site.document = describing({ operationId: "new" });
    const third = source(site, cache);
    expect(await ids(third)).toEqual(["api.new"]);
    expect(third.problems?.()).toEqual([]);
  });

  it("openapiSource requests a description again if the cached description is malformed", async () => {
    const site = await publish({ etag: '"one"' });
    const cache = documentCache(await temporaryFolder());
    const freshUntil = Date.now() + 3_600_000;
    const facts = { url: site.url, etag: '"one"', seenAt: Date.now(), freshUntil };
    await cache.write(site.url, { ...facts, bytes: Buffer.from(broken) });
    expect(await ids(source(site, cache))).toEqual(["api.op"]);
    expect(site.asked.map((headers) => headers["if-none-match"])).toEqual([undefined]);
  });
});

describe("documentCache", () => {
  const facts = { url: "https://a.example/", seenAt: 1, freshUntil: 2 };
  const bytes = Buffer.from("{}");

  it("the document cache writes private files, and returns a document only for the URL it came from", async () => {
    const folder = await temporaryFolder();
    const cache = documentCache(folder);
    await cache.write("https://a.example/", { ...facts, bytes });
    expect(await cache.read("https://a.example/")).toEqual({ ...facts, bytes });
    const [name] = await readdir(folder);
    expect((await stat(join(folder, name!))).mode & 0o777).toBe(0o600);
    await cache.write("https://b.example/", { ...facts, bytes });
    const other = (await readdir(folder)).find((each) => each !== name);
    await writeFile(join(folder, name!), await readFile(join(folder, other!)));
    expect(await cache.read("https://a.example/")).toBeUndefined();
  });

  it.each(["", "{", "{}\n", "null\n{}", '{"url":1}\n{}'])(
    "the document cache ignores a malformed file: %j",
    async (content) => {
      const folder = await temporaryFolder();
      const cache = documentCache(folder);
      await cache.write("a", { ...facts, bytes });
      const [name] = await readdir(folder);
      await writeFile(join(folder, name!), content);
      expect(await cache.read("a")).toBeUndefined();
    },
  );

  it("the document cache keeps at most 200 documents, and no document over 64 MB", async () => {
    const folder = await temporaryFolder();
    const cache = documentCache(folder);
    for (let each = 0; each < 205; each += 1) await cache.write(`a${each}`, { ...facts, bytes });
    expect(await readdir(folder)).toHaveLength(200);
    expect(await cache.read("a204")).toBeDefined();
    await cache.write("large", { ...facts, bytes: Buffer.alloc(64_000_001) });
    expect(await cache.read("large")).toBeUndefined();
  });

  it("a document cache whose folder cannot be created stores nothing and reports no error", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    const cache = documentCache(join(folder, "file"));
    await cache.write("a", { ...facts, bytes });
    expect(await cache.read("a")).toBeUndefined();
  });
});
