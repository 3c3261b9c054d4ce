import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startAuthorizationServer } from "../../packages/adapters/src/oauth/fixtures/authorization-server.ts";
import type { RealServer } from "../../packages/adapters/src/oauth/fixtures/authorization-server.ts";
import { jsonOf, makeWorld } from "../../packages/cli/src/fixtures/world.ts";
import type { World } from "../../packages/cli/src/fixtures/world.ts";
import { serveSignIns } from "../../packages/mcp/src/client/fixtures/oauth-server.ts";
import { freeRedirect, watching } from "./person.ts";

const cleanUps: (() => unknown)[] = [];
let world: World;
let authorization: RealServer;
/** The methods and tokens of the requests, in order. */
let received: { method: string; token: string }[];

function description(issuer: string, url: string): object {
  const secured = { security: [{ oidc: [] }], responses: { 200: {} } };
  const discovery = `${issuer}/.well-known/openid-configuration`;
  return {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url }],
    paths: {
      "/pets": {
        get: { operationId: "list", ...secured },
        post: { operationId: "add", ...secured },
      },
    },
    components: {
      securitySchemes: { oidc: { type: "openIdConnect", openIdConnectUrl: discovery } },
    },
  };
}

async function answer(token: string, response: ServerResponse): Promise<void> {
  const isValid = await authorization.isValid(token);
  response.writeHead(isValid ? 200 : 401, { "content-type": "application/json" });
  response.end('["Tom"]');
}

/** An API that asks the authorization server about every token. */
async function startApi(): Promise<string> {
  received = [];
  const server = createServer(({ method = "", headers }, response) => {
    const token = (headers.authorization ?? "").replace(/^Bearer /u, "");
    received.push({ method, token });
    void answer(token, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  cleanUps.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connect(source: string, account: string): Promise<number> {
  const words = ["connect", source, "--account", account, "--redirect-url", await freeRedirect()];
  return (await world.run(words, { stderr: watching().stderr })).code;
}

async function run(...words: string[]) {
  return jsonOf(await world.run(["run", ...words]));
}

function lastToken(): string {
  return received.at(-1)!.token;
}

function writes(): string[] {
  return received.filter(({ method }) => method === "POST").map(({ token }) => token);
}

/** Connects both accounts; returns the token of each. */
async function connectBoth(): Promise<{ default: string; work: string }> {
  expect(await connect("pets", "default")).toBe(0);
  expect((await run("pets.list")).ok).toBe(true);
  const first = lastToken();
  expect(await connect("pets", "work")).toBe(0);
  expect((await run("pets.list", "--account", "work")).ok).toBe(true);
  expect(lastToken()).not.toBe(first);
  return { default: first, work: lastToken() };
}

function addOnce(account: string) {
  return run("pets.add", "--account", account, "--idempotency-key", "order-7");
}

beforeEach(async () => {
  world = await makeWorld((work) => void cleanUps.push(work));
  authorization = await startAuthorizationServer();
  cleanUps.push(() => authorization.close());
  const api = await startApi();
  await world.write("project/pets.json", description(authorization.issuer, api));
  await world.run(["source", "add", "openapi", "pets.json", "--allow-private"]);
});

afterEach(async () => {
  for (const work of cleanUps.splice(0).toReversed()) await work();
});

describe("the account of a call", () => {
  it("a call sends the token of the named account, or the token of the source if no account is named", async () => {
    const tokens = await connectBoth();
    await run("pets.list");
    expect(lastToken()).toBe(tokens.default);
    await run("pets.list", "--account", "default");
    expect(lastToken()).toBe(tokens.default);
    await run("pets.list", "--account", "work");
    expect(lastToken()).toBe(tokens.work);
  });

  it("the error for an unknown account lists the accounts and the command that connects an account", async () => {
    await connectBoth();
    const before = received.length;
    const { error } = await run("pets.list", "--account", "wrok");
    expect(error.code).toBe("VALIDATION");
    expect(error.message).toContain('no account "wrok" for pets.list; known: default, work');
    expect(error.details).toMatchObject({
      hint: "waybill connect pets --account wrok",
      issues: [{ path: "/account", allowed: ["default", "work"], did_you_mean: "work" }],
    });
    expect(received).toHaveLength(before);
  });

  it("explain and a dry run show the account of a call", async () => {
    await connectBoth();
    const before = received.length;
    const explained = await world.run(["capabilities", "explain", "pets.add", "--brief"]);
    expect(explained.stdout).toContain("options.account: default, work");
    const { data } = await run("pets.add", "--account", "work", "--dry-run");
    expect(data).toMatchObject({ requests: [{ account: "work" }] });
    expect(received).toHaveLength(before);
  });

  it("a keyed write that is repeated with another account is a conflict", async () => {
    const tokens = await connectBoth();
    expect((await addOnce("work")).ok).toBe(true);
    expect(await addOnce("work")).toMatchObject({ ok: true, meta: { replayed: true } });
    expect(await addOnce("default")).toMatchObject({ ok: false, error: { code: "CONFLICT" } });
    expect(writes()).toEqual([tokens.work]);
  });

  it("the account of a chain applies to all steps that name no account", async () => {
    const tokens = await connectBoth();
    const steps = [{ task: "pets.add" }, { task: "pets.add", account: "default" }];
    const words = ["chain", "--steps", JSON.stringify(steps), "--account", "work"];
    expect((await world.run(words)).code).toBe(0);
    expect(writes()).toEqual([tokens.work, tokens.default]);
    const wrong = [{ task: "pets.add" }, { task: "pets.add", account: "wrok" }];
    expect((await world.run(["chain", "--steps", JSON.stringify(wrong)])).code).toBe(1);
    expect(writes()).toHaveLength(2);
  });

  it("a call with an account is refused for a source without accounts", async () => {
    const { error } = await run("item.view", "id=3", "--account", "work");
    expect(error).toMatchObject({ code: "VALIDATION" });
    expect(error.message).toContain("item.view cannot be called with an account");
  });

  it("the account of a call selects one of several sign-ins to an MCP server", async () => {
    const server = await serveSignIns();
    const words = ["source", "add", "mcp", `${server.url}/mcp`, "--name", "far"];
    await world.run([...words, "--allow-private"]);
    expect(await connect("far", "home")).toBe(0);
    expect(await connect("far", "work")).toBe(0);
    expect((await run("far.greet")).error.code).toBe("AUTH");
    expect((await run("far.greet", "--account", "work")).ok).toBe(true);
    expect((await run("far.greet", "--account", "home")).ok).toBe(true);
  });
});
