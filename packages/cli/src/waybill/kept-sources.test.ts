import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { packSummaries, unpackSummaries } from "@waybill/core/cards";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

function listing(name: string): object {
  return { get: { operationId: `list_${name}`, summary: `List ${name}`, responses: { 200: {} } } };
}

/** The description of a request with a body that needs its address. */
function refund(url: string): object {
  const properties = {
    amount: { type: "integer" },
    invoice: { type: "string" },
    reason: { enum: ["duplicate", "fraud"] },
  };
  const schema = { type: "object", required: ["invoice", "amount"], properties };
  const parameters = [{ name: "shop", in: "path", required: true, schema: { type: "string" } }];
  const post = {
    operationId: "createRefund",
    summary: "Refund an invoice",
    parameters,
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: { 201: { description: "It", content: { "application/json": {} } } },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url }],
    paths: { "/{shop}/refunds": { post } },
  };
}

function description(...names: readonly string[]): object {
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.test" }],
    paths: Object.fromEntries(names.map((name) => [`/${name}`, listing(name)])),
  };
}

/** A server that returns an API description with an entity tag (ETag). */
async function startDocument(names: readonly string[]) {
  const requests: (string | undefined)[] = [];
  const now = { names };
  const server = createServer((request, response) => {
    const etag = `"${now.names.join("-")}"`;
    requests.push(request.headers["if-none-match"]);
    if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(JSON.stringify(description(...now.names)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`,
    requests,
    now,
  };
}

async function search(world: World, words: string, started: (readonly string[])[] = []) {
  const inBackground = (argv: readonly string[]): void => void started.push(argv);
  return world.run(["capabilities", "search", ...words.split(" "), "--brief"], { inBackground });
}

async function makeOld(world: World): Promise<void> {
  const folder = join(world.state, "index");
  const before = new Date(Date.now() - 2 * 3_600_000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), before, before);
}

/** Writes the index of the source with this operation as earlier versions did. */
async function removeSignatures(folder: string, id: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = await readFile(join(folder, name));
    const end = file.indexOf("\n") + 1;
    const kept = unpackSummaries(file.subarray(end));
    if (kept?.summaries.some((one) => one.id === id) !== true) continue;
    const bytes = packSummaries(kept.summaries)!;
    const hash = createHash("sha256").update(bytes).digest("hex");
    const head = JSON.parse(file.toString("utf8", 0, end)) as object;
    const line = JSON.stringify({ ...head, hash });
    await writeFile(join(folder, name), [`${line}\n`, bytes]);
  }
}

describe("cached descriptions of sources", () => {
  it("a search does not request the API description of an added source", async () => {
    const world = await makeWorld(onTestFinished);
    const document = await startDocument(["refunds", "invoices"]);
    const added = await world.run([
      "source",
      "add",
      "openapi",
      document.url,
      "--name",
      "shop",
      "--allow-private",
    ]);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    const asked = document.requests.length;
    const found = await search(world, "list refunds");
    expect(found.stdout).toContain("shop.list_refunds() List refunds");
    expect(found.stderr).toBe("");
    expect(document.requests).toHaveLength(asked);
  });

  it("a search prints the signature of an operation whose API description is gone, and the operation can be called", async () => {
    const world = await makeWorld(onTestFinished);
    const sent: string[] = [];
    const server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        sent.push(`${request.method} ${request.url} ${await text(request)}`);
        response.writeHead(201, { "content-type": "application/json" }).end('{"id":1}');
      };
      void answer();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = join(world.project, "shop.json");
    await world.write("project/shop.json", refund(url));
    await utimes(file, 1_000, 1_000);
    await world.writeUserConfig({
      sources: { shop: { kind: "openapi", document: file, allow_private: true } },
    });
    await search(world, "refund");
    const { size } = await stat(file);
    await writeFile(file, " ".repeat(size));
    await utimes(file, 1_000, 1_000);
    const { stdout } = await search(world, "refund an invoice");
    expect(stdout).toMatch(
      /^shop\.createRefund\(shop, body:\{amount:integer, invoice, reason\?:duplicate\|fraud\}\) Refund an invoice$/mu,
    );
    await world.write("project/shop.json", refund(url));
    const input = JSON.stringify({ shop: "s", body: { amount: 3, invoice: "i" } });
    const called = await world.run(["run", "shop.createRefund", "--input", input]);
    expect(called.code).toBe(0);
    expect(sent).toEqual(['POST /s/refunds {"amount":3,"invoice":"i"}']);
  });

  it("a search index of an earlier version without signatures is used, and renewed in the background", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/shop.json", refund("https://shop.test"));
    await world.writeUserConfig({
      sources: { shop: { kind: "openapi", document: join(world.project, "shop.json") } },
    });
    await search(world, "refund an invoice");
    await removeSignatures(join(world.state, "index"), "shop.createRefund");
    const started: (readonly string[])[] = [];
    const found = await search(world, "refund an invoice", started);
    expect(found.stdout).toMatch(/^shop\.createRefund Refund an invoice$/mu);
    expect(started).toEqual([["source", "refresh"]]);
    expect((await world.run(started[0]!)).code).toBe(0);
    const again = await search(world, "refund an invoice");
    expect(again.stdout).toMatch(/^shop\.createRefund\(shop, body:/mu);
  });

  it("a search starts a refresh of old API descriptions in the background", async () => {
    const world = await makeWorld(onTestFinished);
    const document = await startDocument(["refunds"]);
    await world.run([
      "source",
      "add",
      "openapi",
      document.url,
      "--name",
      "shop",
      "--allow-private",
    ]);
    document.now.names = ["refunds", "payouts"];
    await makeOld(world);
    const started: (readonly string[])[] = [];
    expect((await search(world, "list refunds", started)).stdout).toContain("shop.list_refunds");
    expect(started).toEqual([["source", "refresh"]]);
    const refreshed = await world.run(started[0]!);
    expect(refreshed).toEqual({ code: 0, stdout: "shop 2 operations\n", stderr: "" });
    expect(document.requests.at(-1)).toBe('"refunds"');
    const again: (readonly string[])[] = [];
    expect((await search(world, "payouts", again)).stdout).toContain("shop.list_payouts");
    expect(again).toEqual([]);
  });

  it("a search reads a changed API description file", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/shop.json", description("refunds"));
    await world.writeUserConfig({
      sources: { shop: { kind: "openapi", document: join(world.project, "shop.json") } },
    });
    expect((await search(world, "refunds")).stdout).toContain("shop.list_refunds");
    await world.write("project/shop.json", description("refunds", "payouts"));
    expect((await search(world, "payouts")).stdout).toContain("shop.list_payouts");
  });

  it("a capability search names all missing sources in one line", async () => {
    const world = await makeWorld(onTestFinished);
    const missing = (name: string) => ({ kind: "openapi", document: join(world.folder, name) });
    await world.writeUserConfig({ sources: { one: missing("one"), two: missing("two") } });
    const { stdout, stderr } = await search(world, "item");
    expect(stdout).toContain("item.view");
    expect(stderr).toBe(
      "waybill: warning: Sources that could not be searched: one, two; run waybill source check to see why\n",
    );
  });

  it("a call reads the API description of its source", async () => {
    const world = await makeWorld(onTestFinished);
    const document = await startDocument(["refunds"]);
    await world.run([
      "source",
      "add",
      "openapi",
      document.url,
      "--name",
      "shop",
      "--allow-private",
    ]);
    const { stdout } = await world.run(["run", "shop.list_refunds", "--dry-run"]);
    expect(stdout).toContain("https://shop.test/refunds");
  });

  it("source refresh refuses a source without an API description", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["source", "refresh", "demo"]);
    expect(code).toBe(2);
    expect(stdout).toContain("There is no source with a description called demo");
  });
});
