import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  DEVICE,
  PROGRAM,
  startAuthorizationServer,
} from "../../packages/adapters/src/oauth/fixtures/authorization-server.ts";
import type { RealServer } from "../../packages/adapters/src/oauth/fixtures/authorization-server.ts";
import { browse } from "../../packages/adapters/src/oauth/fixtures/browser.ts";
import { jsonOf, makeWorld } from "../../packages/cli/src/fixtures/world.ts";
import type { World } from "../../packages/cli/src/fixtures/world.ts";
import { freeRedirect, watching } from "./person.ts";
import { serveSignIns } from "../../packages/mcp/src/client/fixtures/oauth-server.ts";

const cleanUps: (() => unknown)[] = [];
interface Api {
  readonly url: string;
  /** The tokens that the requests contained. */
  readonly tokens: string[];
  /** Tokens that are no longer valid. */
  readonly refused: Set<string>;
}

let world: World;
let added: { readonly stdout: string };
let authorization: RealServer;
let api: Api;

function description(issuer: string, url: string): object {
  const scopes = { openid: "", offline_access: "", "pets:read": "" };
  const flows = {
    clientCredentials: { tokenUrl: `${issuer}/token`, scopes: {} },
    authorizationCode: {
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      scopes,
    },
    deviceAuthorization: {
      deviceAuthorizationUrl: `${issuer}/device/auth`,
      tokenUrl: `${issuer}/token`,
      scopes,
    },
  };
  const discovery = `${issuer}/.well-known/openid-configuration`;
  return {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url }],
    paths: {
      "/pets": {
        get: { operationId: "list", security: [{ people: [] }], responses: { 200: {} } },
      },
      "/robots": {
        get: { operationId: "robots", security: [{ oidc: [] }], responses: { 200: {} } },
      },
      "/keys": {
        get: { operationId: "keys", security: [{ key: [] }], responses: { 200: {} } },
      },
    },
    components: {
      securitySchemes: {
        people: { type: "oauth2", flows },
        oidc: { type: "openIdConnect", openIdConnectUrl: discovery },
        key: { type: "apiKey", in: "header", name: "X-Key" },
      },
    },
  };
}

/** Accepts a token of the authorization server, or the API key. */
async function startApi(): Promise<Api> {
  const refused = new Set<string>();
  const tokens: string[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /u, "");
    tokens.push(token);
    const isKnown =
      request.headers["x-key"] === "key-1" ||
      (token !== "" && !refused.has(token) && (await authorization.isValid(token)));
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? ["Tom"] : { error: "who are you?" }));
  };
  const server = createServer((request, response) => void listener(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  cleanUps.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokens, refused };
}

beforeEach(async () => {
  world = await makeWorld((work) => void cleanUps.push(work));
  authorization = await startAuthorizationServer();
  cleanUps.push(() => authorization.close());
  api = await startApi();
  await world.write("project/pets.json", description(authorization.issuer, api.url));
  added = await world.run(["source", "add", "openapi", "pets.json", "--allow-private"]);
});

afterEach(async () => {
  for (const work of cleanUps.splice(0).toReversed()) await work();
});

async function connect(...more: string[]) {
  const { stderr, seen } = watching();
  const redirect = await freeRedirect();
  const words = ["connect", "pets", "--redirect-url", redirect, ...more];
  return { ended: await world.run(words, { stderr }), seen };
}

/** All stored files, as text. */
async function keptText(): Promise<string> {
  const folder = join(world.state, "connections");
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

describe("waybill connect with an API", () => {
  it("a call before the first sign-in says how to sign in", async () => {
    expect(added.stdout).toContain(
      "its operations need a credential; sign in with: waybill connect pets",
    );
    const answer = jsonOf(await world.run(["run", "pets.list"]));
    expect(answer.error).toMatchObject({ code: "AUTH" });
    expect(JSON.stringify(answer)).toContain("waybill connect pets");
  });

  it("waybill connect signs in with a browser, and a token that the API refuses is renewed", async () => {
    const { ended } = await connect("--scheme", "oidc");
    expect(ended.stdout).toContain("connected pets (account default): 3 operations");
    expect(jsonOf(await world.run(["run", "pets.robots"]))).toMatchObject({ data: ["Tom"] });
    const text = await keptText();
    const token = /"access":"([^"]+)"/u.exec(text)![1]!;
    expect(api.tokens).toContain(token);
    api.refused.add(token);
    expect(jsonOf(await world.run(["run", "pets.robots"]))).toMatchObject({ data: ["Tom"] });
    expect(authorization.grants["refresh_token"]).toBe(1);
    const list = await world.run(["connections"]);
    expect(list.stdout).toContain("pets default (oauth, 20");
    expect(list.stdout).not.toContain(token);
  });

  it("waybill connect returns AUTH with the server's message for a sign-in that the server refuses", async () => {
    world.env["SECRET"] = "wrong";
    const words = [
      "connect",
      "pets",
      "--grant",
      "client_credentials",
      "--client-secret-env",
      "SECRET",
    ];
    const ended = await world.run([...words, "--client-id", PROGRAM.id]);
    expect(ended.code).toBe(1);
    expect(jsonOf(ended).error).toMatchObject({
      code: "AUTH",
      message: "Signing in failed: invalid_client: client authentication failed",
    });
  });

  it("waybill connect signs in with a registered client id and a device code", async () => {
    const { ended, seen } = await connect(
      "--scheme",
      "people",
      "--grant",
      "device_code",
      "--client-id",
      DEVICE.id,
    );
    expect(seen()).toContain("enter the code");
    expect(ended.code).toBe(0);
    expect(jsonOf(await world.run(["run", "pets.list"]))).toMatchObject({ data: ["Tom"] });
  });

  it("waybill connect signs in with client credentials and a secret from the environment", async () => {
    world.env["PROGRAM_SECRET"] = PROGRAM.secret;
    const { ended } = await connect(
      "--scheme",
      "people",
      "--grant",
      "client_credentials",
      "--client-id",
      PROGRAM.id,
      "--client-secret-env",
      "PROGRAM_SECRET",
    );
    expect(ended.code).toBe(0);
    expect(jsonOf(await world.run(["run", "pets.list"]))).toMatchObject({ data: ["Tom"] });
  });

  it("waybill connect accepts the redirect URL of a browser on another machine", async () => {
    const redirect = await freeRedirect();
    const ends: Promise<string>[] = [];
    const stderr = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const page = /browser: (\S+)/u.exec(chunk.toString())?.[1];
        if (page !== undefined) ends.push(browse(page, redirect));
        done();
      },
    });
    async function* stdin(): AsyncGenerator<string> {
      yield `${await ends[0]}\n`;
    }
    const words = ["connect", "pets", "--scheme", "oidc", "--no-browser"];
    const ended = await world.run([...words, "--redirect-url", redirect], {
      stderr,
      stdin: stdin(),
    });
    expect(ended.stdout).toContain("connected pets");
  });

  it("waybill connect asks for an API key and stores it encrypted with a passphrase", async () => {
    world.env["WAYBILL_PASSPHRASE"] = "correct horse";
    const ended = await world.run(["connect", "pets", "--scheme", "key"], { input: "key-1\n" });
    expect(ended.stdout).toContain("encrypted with WAYBILL_PASSPHRASE");
    expect(await keptText()).not.toContain("key-1");
    expect(jsonOf(await world.run(["run", "pets.keys"]))).toMatchObject({ data: ["Tom"] });
    delete world.env["WAYBILL_PASSPHRASE"];
    expect(jsonOf(await world.run(["run", "pets.keys"])).error).toMatchObject({
      code: "AUTH",
      message: "The stored tokens cannot be read: they are encrypted with a passphrase",
      details: { hint: "Set WAYBILL_PASSPHRASE" },
    });
  });

  it("waybill connect keeps several accounts apart and forgets one account", async () => {
    const key = (account: string, input: string) =>
      world.run(["connect", "pets", "--scheme", "key", "--account", account], { input });
    await key("home", "key-2\n");
    await key("work", "key-1\n");
    const unnamed = jsonOf(await world.run(["run", "pets.keys"]));
    expect(unnamed.error.message).toContain(
      "choose one of its accounts with --account (home, work)",
    );
    const config = JSON.parse(await readFile(world.configPath, "utf8")) as {
      sources: Record<string, object>;
    };
    const use = (account: string) => {
      const pets = { ...config.sources["pets"], account };
      return world.writeConfig({ sources: { ...config.sources, pets } });
    };
    await use("work");
    expect(jsonOf(await world.run(["run", "pets.keys"])).ok).toBe(true);
    await use("home");
    expect(jsonOf(await world.run(["run", "pets.keys"])).error.code).toBe("AUTH");
    const both = await world.run(["disconnect", "pets"]);
    expect(both.stdout).toContain("several accounts: home, work");
    const none = await world.run(["disconnect", "pets", "--account", "wrok"]);
    expect(none.stdout).toContain("pets has no account called wrok; it has home, work");
    await world.run(["disconnect", "pets", "--account", "work"]);
    await use("work");
    expect(jsonOf(await world.run(["run", "pets.keys"])).ok).toBe(false);
    expect(await keptText()).not.toContain("key-1");
  });

  it("the stored key of a source is not sent after the source's server changes", async () => {
    await world.run(["connect", "pets", "--scheme", "key"], { input: "key-1\n" });
    const config = JSON.parse(await readFile(world.configPath, "utf8")) as {
      sources: Record<string, object>;
    };
    const elsewhere = await startApi();
    const pets = { ...config.sources["pets"], server: elsewhere.url, hosts: undefined };
    await world.writeConfig({ sources: { pets } });
    expect(jsonOf(await world.run(["run", "pets.keys"])).error.code).toBe("AUTH");
  });

  it("waybill doctor shows where connections are stored", async () => {
    const { stdout } = await world.run(["doctor"]);
    expect(stdout).toContain(`connections: ${join(world.state, "connections")}`);
  });
});

describe("waybill connect with an MCP server", () => {
  it("a 401 of an MCP server advises waybill connect, which signs in to that server", async () => {
    const server = await serveSignIns();
    const second = await world.run([
      "source",
      "add",
      "mcp",
      `${server.url}/mcp`,
      "--name",
      "far",
      "--allow-private",
    ]);
    expect(second.stdout).toContain("sign in with: waybill connect far");
    const refused = jsonOf(await world.run(["run", "far.greet"]));
    expect(refused.error).toMatchObject({ code: "AUTH" });
    expect(JSON.stringify(refused.error)).toContain("waybill connect far");
    const { stderr } = watching();
    const redirect = await freeRedirect();
    const ended = await world.run(["connect", "far", "--redirect-url", redirect], { stderr });
    expect(ended.stdout).toContain("connected far (account default): 1 operation");
    expect(jsonOf(await world.run(["run", "far.greet"]))).toMatchObject({ ok: true });
    server.expire();
    expect(jsonOf(await world.run(["run", "far.greet"]))).toMatchObject({ ok: true });
    expect(server.counts.refreshed).toBe(1);
    await world.run(["disconnect", "far"]);
    expect(jsonOf(await world.run(["run", "far.greet"])).error.code).toBe("AUTH");
  });
});
