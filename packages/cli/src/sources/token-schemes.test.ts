import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

type Raw = Record<string, unknown>;

const SCHEMES = {
  key: { type: "apiKey", in: "header", name: "X-Key" },
  bearer: { type: "http", scheme: "bearer" },
  oauth: { type: "oauth2", flows: {} },
};

function describing(...securities: Raw[][]): object {
  const paths = securities.map((security, index) => [
    `/${index}`,
    { get: { operationId: `op${index}`, security, responses: { 200: {} } } },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example" }],
    paths: Object.fromEntries(paths) as Raw,
    components: { securitySchemes: SCHEMES },
  };
}

async function add(world: World, description: object, tokens: string) {
  await world.write("project/shop.json", description);
  const words = ["source", "add", "openapi", "shop.json", "--name", "shop", "--token-env", tokens];
  const ended = await world.run(words);
  const config = JSON.parse(await readFile(world.configPath, "utf8")) as {
    sources: Record<string, Raw>;
  };
  return { ...ended, credentials: config.sources["shop"]?.["credentials"] };
}

describe("waybill source add --token-env", () => {
  it("the token of an API is stored for the security scheme that most operations need", async () => {
    const world = await makeWorld(onTestFinished);
    const both = [{ key: [], bearer: [] }];
    const api = describing(
      both,
      [{ bearer: [] }],
      [{ oauth: ["read"] }],
      [{ key: [] }],
      [{ bearer: [] }],
    );
    const { stdout, credentials } = await add(world, api, "SHOP_TOKEN");
    expect(credentials).toEqual({ bearer: { env: "SHOP_TOKEN" }, oauth: { env: "SHOP_TOKEN" } });
    expect(stdout).toContain("the token is sent as bearer");
    expect(stdout).toContain("other operations need key (the header X-Key): --token-env key=NAME");
  });

  it("each token of an API is stored for the security scheme that its option names", async () => {
    const world = await makeWorld(onTestFinished);
    const api = describing([{ key: [], bearer: [] }]);
    const { credentials } = await add(world, api, "key=SHOP_KEY,bearer=SHOP_TOKEN");
    expect(credentials).toEqual({ key: { env: "SHOP_KEY" }, bearer: { env: "SHOP_TOKEN" } });
  });

  it("a single token is refused for an API whose operations need two tokens", async () => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout, credentials } = await add(
      world,
      describing([{ key: [], bearer: [] }]),
      "SHOP_TOKEN",
    );
    expect([code, credentials]).toEqual([2, undefined]);
    expect(stdout).toContain("need several credentials at once: key (the header X-Key), bearer");
    expect(stdout).toContain("--token-env key=NAME,bearer=NAME");
  });
});

/** An API that accepts one token, and records the tokens that it receives. */
async function startGuarded(token: string): Promise<{ url: string; sent: unknown[] }> {
  const sent: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    sent.push(headers.authorization);
    const isKnown = headers.authorization === `Bearer ${token}`;
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

describe("credentials from a command", () => {
  it("a credential from a command is read again once after a 401", async () => {
    const world = await makeWorld(onTestFinished);
    const { url, sent } = await startGuarded("token-number-2");
    await world.write("project/shop.json", describing([{ bearer: [] }]));
    await world.write("count", "");
    // The program prints another token each time it runs.
    const program = "printf x >> count; read -r all < count; echo token-number-${#all}";
    const command = ["/bin/sh", "-c", `cd ${world.folder}; ${program}`];
    const shop = { kind: "openapi", document: "shop.json", server: url, allow_private: true };
    const credentials = { bearer: { command } };
    await world.writeConfig({ sources: { shop: { ...shop, credentials } } });
    const first = await world.run(["run", "shop.op0"]);
    expect(JSON.parse(first.stdout)).toMatchObject({ ok: true });
    const second = await world.run(["run", "shop.op0"]);
    expect(JSON.parse(second.stdout)).toMatchObject({ ok: false, error: { code: "AUTH" } });
    expect(sent).toEqual([1, 2, 3, 4].map((each) => `Bearer token-number-${each}`));
  });
});
