import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { createWaybill } from "@waybill/core";
import { mcpSource } from "@waybill/mcp/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { AUDIENCE, startSignInProvider } from "../../../../test/support/sign-in-provider.ts";
import { main } from "../cli.ts";
import { Program } from "../fixtures/program.ts";
import { jsonOf, makeWorld } from "../fixtures/world.ts";
import type { World } from "../fixtures/world.ts";

interface Serving {
  readonly said: string;
  readonly url: string;
  readonly token: string;
  readonly stop: () => Promise<number>;
}

/** Runs the command until it has printed its address; `stop` interrupts it, as Ctrl-C does. */
async function serve(
  world: World,
  words: readonly string[] = [],
  more: { readonly isTTY?: boolean; readonly env?: Record<string, string> } = {},
): Promise<Serving> {
  const interruption = new AbortController();
  const [stdout, stderr] = [new PassThrough({ encoding: "utf8" }), new PassThrough()];
  const ended = main({
    argv: ["serve", "http", ...words],
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: world.env,
    cwd: world.project,
    isTTY: false,
    signal: interruption.signal,
    ...more,
  });
  const said = await new Promise<string>((resolve) => stdout.once("data", resolve));
  const facts = (said.startsWith("{") ? JSON.parse(said) : {}) as Record<string, string>;
  const stop = (): Promise<number> => {
    interruption.abort();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  return { said, url: facts["url"] ?? "", token: facts["token"] ?? "", stop };
}

function view(url: string, token?: string): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const body = '{"params":{"id":3}}';
  return fetch(`${url}/v1/execute/item.view`, { method: "POST", headers, body });
}

async function askTree(at: string): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: "{}" };
  return (await fetch(`${at}/v1/execute/graph.tree`, request)).json();
}

/** An API that refuses requests without a key and remembers the keys that it received. */
async function startKeyedShop(): Promise<{ url: string; keys: string[]; description: object }> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    keys.push(String(request.headers["x-key"]));
    response.setHeader("content-type", "application/json").end('{"orders":3}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const description = {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url }],
    security: [{ key: [] }],
    paths: { "/orders": { get: { operationId: "orders", responses: { 200: {} } } } },
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  };
  return { url, keys, description };
}

describe("waybill serve http", () => {
  it("waybill serve http serves the configured capabilities to callers with the printed token", async () => {
    const world = await makeWorld(onTestFinished);
    const { url, token, stop } = await serve(world);
    expect(await (await view(url, token)).json()).toMatchObject({ ok: true, data: { id: 3 } });
    expect((await view(url)).status).toBe(401);
    expect(await stop()).toBe(0);
    await expect(view(url, token)).rejects.toThrow("fetch failed");
  });

  it("waybill serve http does not tell callers where its files are", async () => {
    const world = await makeWorld(onTestFinished);
    const { url, token } = await serve(world);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const asked = { method: "POST", headers, body: '{"params":{}}' };
    const answer = await (await fetch(`${url}/v1/execute/quux.frobnicate`, asked)).text();
    expect(answer).toContain("NOT_FOUND");
    expect(answer).not.toContain(world.project);
    expect(answer).not.toContain("waybill.config.json");
  });

  it("waybill serve http enforces the configured limits", async () => {
    const world = await makeWorld(onTestFinished);
    const limits = { max_body_bytes: 100, max_depth: 2, per_second: 1, burst: 3 };
    await world.writeConfig({ sources: { demo: world.source() }, http: { limits } });
    const { url, token } = await serve(world);
    const send = async (params: string, place = "v1/execute/item.view"): Promise<number> => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const body = `{"params":${params}}`;
      return (await fetch(`${url}/${place}`, { method: "POST", headers, body })).status;
    };
    expect(await send(`{"id":3,"x":"${"x".repeat(200)}"}`)).toBe(413);
    expect(await send('{"id":[3]}')).toBe(400);
    expect(await send(`"${"x".repeat(200)}"`, "mcp")).toBe(413);
    // A slow machine gets a new request each second, so a few at once have to exceed the limit.
    const sendTen = (): Promise<number[]> =>
      Promise.all(Array.from({ length: 10 }, () => send('{"id":3}')));
    await expect.poll(sendTen).toContain(429);
  });

  it("waybill serve http lets callers sign in with OIDC, and records who called what", async () => {
    const provider = await startSignInProvider();
    onTestFinished(() => provider.close());
    const world = await makeWorld(onTestFinished);
    const corp = { issuer: provider.issuer, audience: AUDIENCE, scopes_claim: "groups" };
    const file = join(world.project, "audit.jsonl");
    await world.writeConfig({
      sources: { demo: world.source() },
      http: { oidc: { corp }, tokens: { bot: { token: { env: "BOT_TOKEN" } } } },
      audit: { file: "audit.jsonl" },
    });
    const env = { ...world.env, BOT_TOKEN: "a-token-for-the-bot" };
    const { url, stop } = await serve(world, [], { env });
    expect((await view(url, await provider.sign({ sub: "ada" }))).status).toBe(200);
    expect((await view(url, "a-token-for-the-bot")).status).toBe(200);
    expect((await view(url, await provider.sign({ aud: "other" }))).status).toBe(401);
    expect((await view(url)).status).toBe(401);
    await stop();
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { event: "call", caller: "corp:ada", capability: "item.view", ok: true, via: "http" },
      { event: "call", caller: "bot", capability: "item.view", ok: true },
      { event: "refused", caller: null, status: 401 },
      { event: "refused", caller: null, status: 401 },
    ]);
    expect(lines.join("")).not.toContain("a-token-for-the-bot");
  });

  it("the audit log of waybill serve http has no caller's token, wherever a caller puts the token", async () => {
    const secret = "a-token-for-the-bot";
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({
      sources: { demo: world.source() },
      http: { tokens: { bot: { token: { env: "BOT_TOKEN" } } } },
      audit: { file: "audit.jsonl" },
    });
    const { url, stop } = await serve(world, [], { env: { ...world.env, BOT_TOKEN: secret } });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const send = (id: string, params: object): Promise<Response> =>
      fetch(`${url}/v1/execute/${id}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ params }),
      });
    await send("item.view", { id: 3, note: secret });
    await send("item.view", { id: 3, note: "x".repeat(190) + secret });
    await send("item.view", { id: 3, note: btoa(secret) });
    await send(secret, {});
    await stop();
    const text = await readFile(join(world.project, "audit.jsonl"), "utf8");
    expect(text.trim().split("\n")).toHaveLength(4);
    for (const part of [secret.slice(0, 8), btoa(secret)]) expect(text).not.toContain(part);
  });

  it("waybill serve http uses the account of each caller for a source with per_caller", async () => {
    const shop = await startKeyedShop();
    const world = await makeWorld(onTestFinished);
    await world.write("project/shop.json", shop.description);
    const entry = {
      kind: "openapi",
      document: "shop.json",
      allow_private: true,
      hosts: [shop.url],
    };
    await world.writeConfig({
      sources: { shop: { ...entry, per_caller: true } },
      http: {
        tokens: {
          ada: { token: { env: "ADA" } },
          "b|b": { token: { env: "BOB" } },
          eve: { token: { env: "EVE" } },
        },
      },
    });
    for (const [account, key] of [
      ["ada", "key-of-ada"],
      ["b|b", "key-of-bob"],
    ]) {
      const stdin = Readable.from([`${key}\n`]);
      expect((await world.run(["connect", "shop", "--account", account!], { stdin })).code).toBe(0);
    }
    const env = {
      ...world.env,
      ADA: "token-of-ada-1234",
      BOB: "token-of-bob-1234",
      EVE: "eve-token",
    };
    const { url } = await serve(world, [], { env });
    const ask = async (token: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const request = { method: "POST", headers, body: "{}" };
      return (await fetch(`${url}/v1/execute/shop.orders`, request)).json();
    };
    const ANSWERED = { ok: true, error: null, data: { orders: 3 } };
    const [ada, bob] = await Promise.all([ask(env.ADA), ask(env.BOB)]);
    expect([ada, bob]).toMatchObject([ANSWERED, ANSWERED]);
    expect(shop.keys.toSorted()).toEqual(["key-of-ada", "key-of-bob"]);
    const eve = JSON.stringify(await ask(env.EVE));
    expect(eve).toContain("eve is not signed in to shop");
    expect(eve).toContain("waybill connect shop --account eve");
    const nobody = jsonOf(await world.run(["run", "shop.orders"]));
    expect(nobody).toMatchObject({ error: { code: "AUTH" } });
    expect(shop.keys).toHaveLength(2);
  });

  it("waybill serve http lets a caller choose among its own accounts, but no account of another caller", async () => {
    const shop = await startKeyedShop();
    const world = await makeWorld(onTestFinished);
    await world.write("project/shop.json", shop.description);
    const document = { kind: "openapi", document: "shop.json", hosts: [shop.url] };
    const tokens = { ada: { token: { env: "ADA" } }, "ada/work": { token: { env: "EVE" } } };
    await world.writeConfig({
      sources: { shop: { ...document, allow_private: true } },
      http: { tokens },
    });
    for (const account of ["default", "ada~work", "bob"]) {
      const stdin = Readable.from([`key-of-${account}\n`]);
      expect((await world.run(["connect", "shop", "--account", account], { stdin })).code).toBe(0);
    }
    const env = { ...world.env, ADA: "token-of-ada-1234", EVE: "token-of-eve-1234" };
    const { url } = await serve(world, [], { env });
    const ask = async (token: string, account?: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = JSON.stringify(account === undefined ? {} : { options: { account } });
      return (
        await fetch(`${url}/v1/execute/shop.orders`, { method: "POST", headers, body })
      ).json();
    };
    expect(await ask(env.ADA)).toMatchObject({ ok: true });
    expect(await ask(env.ADA, "work")).toMatchObject({ ok: true });
    expect(shop.keys).toEqual(["key-of-default", "key-of-ada~work"]);
    for (const account of ["bob", "default", "ada~work", "~work"]) {
      const refused = (await ask(env.ADA, account)) as { error: { message: string } };
      expect(refused).toMatchObject({ ok: false, error: { code: "VALIDATION" } });
      expect(refused.error.message).toContain("ada has no account");
      expect(refused.error.message).toContain("known: work");
    }
    expect(await ask(env.EVE, "work")).toMatchObject({ ok: false, error: { code: "VALIDATION" } });
    expect(shop.keys).toHaveLength(2);
  });

  it("waybill serve http refuses a static token with the name of an OIDC caller", async () => {
    const world = await makeWorld(onTestFinished);
    const corp = { issuer: "https://id.example", audience: "waybill" };
    const tokens = { "corp:ada": { token: { env: "ADA" } } };
    await world.writeConfig({ http: { oidc: { corp }, tokens } });
    const { code, stdout } = await world.run(["serve", "http"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("an http.oidc provider's caller")]);
  });

  it("waybill serve http refuses unknown limits", async () => {
    const world = await makeWorld(onTestFinished);
    await world.writeConfig({ http: { limits: { burst: 0, per_secnd: 1 } } });
    const { code, stdout } = await world.run(["serve", "http"]);
    expect(code).toBe(2);
    expect(stdout).toContain(
      "/http/limits/per_secnd is not a known name here; did you mean per_second?",
    );
  });

  it("waybill serve http answers questions about code only with --root", async () => {
    const world = await makeWorld(onTestFinished);
    await world.write("code/index.ts", "export const a = 1;\n");
    const other = await serve(world, ["--open"]);
    expect(await askTree(other.url)).toMatchObject({ error: { code: "NOT_FOUND" } });
    const { url } = await serve(world, ["--open", "--root", "../code"]);
    expect(await askTree(url)).toMatchObject({ ok: true, data: { tree: { stats: { files: 1 } } } });
    const listed = await (await fetch(`${url}/v1/capabilities`)).text();
    expect(listed).toContain("graph.tree");
  });

  it("waybill serve http serves MCP clients under /mcp with the token for its other paths", async () => {
    const { url, token } = await serve(await makeWorld(onTestFinished));
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT };
    const initialize = (authorization: string): Promise<Response> =>
      fetch(`${url}/mcp`, {
        method: "POST",
        headers: {
          authorization,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
      });
    const answer = await initialize(`Bearer ${token}`);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('"name":"waybill"'),
    ]);
    expect((await initialize("Bearer other")).status).toBe(401);
  });

  it.each(["2025-11-25", "2026-07-28"] as const)(
    "waybill serve http executes calls of MCP clients of protocol %s",
    async (protocol) => {
      const { url, token } = await serve(await makeWorld(onTestFinished));
      const headers = { authorization: `Bearer ${token}` };
      const source = mcpSource({ name: "way", url: `${url}/mcp`, headers, protocol });
      const client = createWaybill({ sources: [source] });
      onTestFinished(() => client.close());
      const args = { capability_id: "item.view", params: { id: 3 } };
      const { data } = await client.execute("way.execute", args);
      expect(JSON.stringify(data)).toContain("Item 3 of");
    },
  );

  it.each(["2025-11-25", "2026-07-28"] as const)(
    "waybill serve http answers running MCP calls of protocol %s before it ends",
    async (protocol) => {
      const world = await makeWorld(onTestFinished);
      const { url, token, stop } = await serve(world);
      const headers = { authorization: `Bearer ${token}` };
      const source = mcpSource({ name: "way", url: `${url}/mcp`, headers, protocol });
      const client = createWaybill({ sources: [source] });
      onTestFinished(() => client.close());
      await client.list_capabilities({ query: "way" });
      const asked = world.upstream.next();
      const late = client.execute("way.execute", {
        capability_id: "item.view",
        params: { id: 202 },
      });
      await asked;
      expect(await stop()).toBe(0);
      expect(JSON.stringify((await late).data)).toContain("Item 202 of");
    },
  );

  it("waybill serve http --open needs no token, and without --open the token is shown to a person", async () => {
    const world = await makeWorld(onTestFinished);
    const { url } = await serve(world, ["--open"]);
    expect((await view(url)).status).toBe(200);
    const { said } = await serve(world, [], { isTTY: true });
    expect(said).toMatch(/curl -H "authorization: Bearer \S+" http:\/\/127.0.0.1:\d+\/v1/u);
  });

  it("waybill serve http accepts tokens of the user's configuration, not of a project's", async () => {
    const world = await makeWorld(onTestFinished);
    const tokens = { ada: { token: { env: "ADA" }, scopes: ["staff"] } };
    await world.writeUserConfig({ http: { tokens } });
    const { url, said } = await serve(world, [], { env: { ...world.env, ADA: "ada-secret" } });
    expect(said).not.toContain("token");
    expect((await view(url, "ada-secret")).status).toBe(200);
    expect((await view(url, "other")).status).toBe(401);
    const { code, stdout } = await world.run(["serve", "http"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("set ADA")]);

    const other = await makeWorld(onTestFinished);
    const mine = { http: { tokens: { eve: { token: { env: "HOME" } } } } };
    await other.writeForeignConfig({ sources: { demo: other.source() }, ...mine });
    const served = await serve(other);
    expect((await view(served.url, other.env["HOME"])).status).toBe(401);
    expect((await view(served.url, served.token)).status).not.toBe(401);
  });

  it.each([
    [["here"], "serve http takes no"],
    [["--port", "65536"], "--port must be at most 65535"],
    [["--host", "0.0.0.0", "--open"], "configure tokens"],
    [["--host", "0.0.0.0"], "configure host names"],
    [["--host", "203.0.113.9"], "configure host names"],
  ])("waybill serve http refuses the arguments %j", async (words, sentence) => {
    const world = await makeWorld(onTestFinished);
    const { code, stdout } = await world.run(["serve", "http", ...words]);
    expect([code, stdout]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("waybill serve http refuses a port in use and a wrong configuration", async () => {
    const world = await makeWorld(onTestFinished);
    const { url } = await serve(world);
    const port = new URL(url).port;
    const taken = await world.run(["serve", "http", "--port", port]);
    expect([taken.code, taken.stdout]).toEqual([2, expect.stringContaining("already")]);
    await world.writeUserConfig({ http: { prot: 1 } });
    const wrong = await world.run(["serve", "http"]);
    expect([wrong.code, wrong.stdout]).toEqual([2, expect.stringContaining("/http/prot")]);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("waybill serve http ends on %s", async (signal) => {
    const world = await makeWorld(onTestFinished);
    const program = new Program(world, ["serve", "http"]);
    await new Promise((resolve) => program.process.stdout.once("data", resolve));
    program.process.kill(signal);
    expect((await program.ended).code).toBe(0);
  });
});

const CLIENT = { name: "test", version: "1" };
