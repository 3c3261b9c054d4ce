import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

/** An API that sends three events, and then closes the stream or keeps it open. */
async function eventWorld(isEnding: boolean, event?: string): Promise<World> {
  const world = await makeWorld(onTestFinished);
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const n of [1, 2, 3]) response.write(`data: ${event ?? `{"n":${n}}`}\n\n`);
    if (isEnding) response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const content = { "text/event-stream": { schema: { type: "object" } } };
  const parameters = [{ name: "near", in: "query" }];
  const get = {
    operationId: "prices",
    parameters,
    responses: { 200: { description: "", content } },
  };
  await world.write("project/ticker.json", {
    openapi: "3.1.0",
    info: { title: "Ticker", version: "1" },
    servers: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
    paths: { "/prices": { get } },
  });
  const document = join(world.project, "ticker.json");
  const source = { kind: "openapi", document, allow_private: true };
  await world.writeUserConfig({ sources: { ticker: source } });
  return world;
}

const LINE = /^\{"data":.*"n":?\W*1/u;

describe("waybill subscribe", () => {
  it("waybill subscribe prints each event as a line until the subscription ends", async () => {
    const world = await eventWorld(true);
    const { code, stdout, stderr } = await world.run(["subscribe", "ticker.prices"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trim().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(LINE);
  });

  it("waybill subscribe prints the warnings of an event and of the inputs", async () => {
    const world = await eventWorld(true, '{"id":12345678901234567890}');
    const { stdout } = await world.run(["subscribe", "ticker.prices", "near=98765432109876543210"]);
    const [first, second] = stdout.trim().split("\n");
    const digits = /above 2\^53, so they are strings of digits: \/data\/id/u;
    expect(first).toMatch(/"warnings":\["\/near is sent as a string of digits/u);
    expect(first).toMatch(digits);
    expect(second).toMatch(digits);
    expect(second).not.toContain("/near");
  });

  it("waybill subscribe --limit stops after that many events, and reports the limit", async () => {
    const world = await eventWorld(false);
    const { code, stdout, stderr } = await world.run([
      "subscribe",
      "ticker.prices",
      "--limit",
      "2",
    ]);
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(2);
    expect(stderr).toContain("it reached the limit of events");
  });

  it("waybill subscribe --wait-ms stops after that time with exit code 0, and reports the limit", async () => {
    const world = await eventWorld(false);
    const argv = ["subscribe", "ticker.prices", "--wait-ms", "2500"];
    const { code, stderr } = await world.run(argv);
    expect(code).toBe(0);
    expect(stderr).toContain("it reached the time limit");
  });

  it("waybill run names waybill subscribe when it refuses a subscription", async () => {
    const world = await eventWorld(true);
    const { stdout } = await world.run(["run", "ticker.prices"]);
    expect(stdout).toContain("waybill subscribe ticker.prices");
  });

  it("waybill subscribe fails for an operation that is not a subscription", async () => {
    const world = await eventWorld(true);
    const { code, stdout } = await world.run(["subscribe", "item.view", "id=1"]);
    expect(code).toBe(1);
    expect(stdout).toContain("item.view is not a subscription");
  });
});

/** A GraphQL endpoint that sends two results and then completes the subscription. */
async function graphqlWorld(): Promise<World> {
  const world = await makeWorld(onTestFinished);
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "none" });
    for (const n of [1, 2]) response.write(`event: next\ndata: {"data":{"sold":${n}}}\n\n`);
    response.write("event: complete\ndata:\n\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await world.write("shop.graphql", "type Query { a: Int } type Subscription { sold: Int }");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const schema = join(world.folder, "shop.graphql");
  const shop = { kind: "graphql", url, schema, allow_private: true };
  await world.writeUserConfig({ sources: { shop } });
  return world;
}

it("waybill subscribe prints the results of a GraphQL subscription until the endpoint completes it", async () => {
  const world = await graphqlWorld();
  const { code, stdout } = await world.run(["subscribe", "shop.subscription.sold"]);
  expect(code).toBe(0);
  const values = stdout.trim().split("\n");
  expect(values.map((line) => (JSON.parse(line) as { data: unknown }).data)).toEqual([1, 2]);
});
