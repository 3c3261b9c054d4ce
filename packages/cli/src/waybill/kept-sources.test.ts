import { once } from "node:events";
import { readdir, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

function listing(name: string): object {
  return { get: { operationId: `list_${name}`, summary: `List ${name}`, responses: { 200: {} } } };
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

describe("cached descriptions of sources", () => {
  it("a search does not request the description of an added source", async () => {
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
    expect(found.stdout).toContain("shop.list_refunds List refunds");
    expect(found.stderr).toBe("");
    expect(document.requests).toHaveLength(asked);
  });

  it("a search starts a refresh of old descriptions in the background", async () => {
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

  it("a search reads a changed description file again", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("project/shop.json", description("refunds"));
    await world.writeUserConfig({
      sources: { shop: { kind: "openapi", document: join(world.project, "shop.json") } },
    });
    expect((await search(world, "refunds")).stdout).toContain("shop.list_refunds");
    await world.write("project/shop.json", description("refunds", "payouts"));
    expect((await search(world, "payouts")).stdout).toContain("shop.list_payouts");
  });

  it("a search names all missing sources in one line", async () => {
    const world = await makeWorld(onTestFinished);
    const missing = (name: string) => ({ kind: "openapi", document: join(world.folder, name) });
    await world.writeUserConfig({ sources: { one: missing("one"), two: missing("two") } });
    const { stdout, stderr } = await search(world, "item");
    expect(stdout).toContain("item.view");
    expect(stderr).toBe(
      "waybill: warning: Sources that could not be searched: one, two; run waybill source check to see why\n",
    );
  });

  it("a call reads the description of its source", async () => {
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

  it("source refresh refuses a source without a description", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["source", "refresh", "demo"]);
    expect(code).toBe(2);
    expect(stdout).toContain("There is no source with a description called demo");
  });
});
