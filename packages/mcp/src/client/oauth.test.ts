import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../../test/support/free-port.ts";
import { sharedBundle } from "../../../../test/support/shared-bundle.ts";
import { serveSignIns } from "./fixtures/oauth-server.ts";
import { fixture, temporaryFolder, textOf, waybillOf } from "./fixtures/support.ts";
import { fileStore, loopbackAuthorize, tokensKey } from "./index.ts";
import type { OAuthSettings } from "./index.ts";

/** A person whose browser agrees to everything. */
async function agree(page: URL): Promise<string> {
  const response = await fetch(page, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

async function mixUp(page: URL): Promise<URL> {
  const back = new URL(await agree(page));
  back.searchParams.set("state", "another");
  return back;
}

/** A browser that follows redirects, without a user. */
function follow(page: URL): void {
  void fetch(page).then((response) => response.text());
}

function ignore(): void {}

function source(url: string, auth: OAuthSettings, folder: string) {
  return { name: "far", url: `${url}/mcp`, auth, store: fileStore(folder) };
}

describe("an MCP server that requires a person to sign in", () => {
  it("a person signs in to an MCP server once, and the token is stored in a private file", async () => {
    const { url, counts } = await serveSignIns();
    const folder = join(temporaryFolder(), "state");
    for (const authorize of [agree, undefined]) {
      const auth = authorize === undefined ? {} : { authorize };
      const result = await waybillOf(source(url, auth, folder)).execute("far.greet", {});
      expect(textOf(result.data)).toBe("hello");
    }
    expect(counts).toEqual({ registered: 1, asked: 1, refreshed: 0, replayed: 0 });
    const files = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(new Set(files)).toEqual(new Set([0o600]));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("an MCP server does not get the token of a server at another path of the same host", async () => {
    const { url, counts } = await serveSignIns();
    const folder = join(temporaryFolder(), "state");
    await waybillOf(source(url, { authorize: agree }, folder)).execute("far.greet", {});
    expect(counts.asked).toBe(1);
    const kept = (path: string) => fileStore(folder).read(tokensKey(new URL(path, url)));
    expect(await kept("/mcp?session=1")).toHaveProperty("tokens.access_token");
    expect([await kept("/"), await kept("/mcp/other")]).toEqual([undefined, undefined]);
  });

  it("the sign-in to an MCP server requests the scope that the server names, or else the configured scope", async () => {
    const named = await serveSignIns({ scope: "notes:read" });
    const auth = { authorize: agree };
    await waybillOf(source(named.url, auth, join(temporaryFolder(), "state"))).execute("far.greet");
    expect(named.seen.asked[0]?.get("scope")).toBe("notes:read");
    const silent = await serveSignIns();
    const scoped = { ...auth, scope: "mine" };
    const settings = source(silent.url, scoped, join(temporaryFolder(), "state"));
    await waybillOf(settings).execute("far.greet");
    expect(silent.seen.registered[0]).toMatchObject({ scope: "mine" });
    expect(silent.seen.asked[0]?.get("scope")).toBe("mine");
  });

  it("a call of an MCP server that needs a sign-in fails with the configured hint if no sign-in is configured", async () => {
    const { url } = await serveSignIns();
    const settings = { name: "far", url: `${url}/mcp`, signInHint: "waybill connect far" };
    const { error } = await waybillOf(settings).execute("far.greet", {});
    expect(JSON.stringify(error)).toContain("waybill connect far");
  });

  it("a call of an MCP server reports that a sign-in is required if nobody can sign in", async () => {
    const { url } = await serveSignIns();
    const problems: string[] = [];
    const waybill = waybillOf(source(url, {}, join(temporaryFolder(), "state")), {
      observer: { onProblem: ({ message }) => problems.push(message) },
    });
    await waybill.list_capabilities({ wait_ms: 60_000 });
    expect(problems).toEqual([`${new URL(url).host} requires a sign-in`]);
  });

  it("the sign-in to an MCP server refuses a response whose state belongs to another sign-in", async () => {
    const { url } = await serveSignIns();
    const waybill = waybillOf(source(url, { authorize: mixUp }, join(temporaryFolder(), "state")));
    expect((await waybill.execute("far.greet", {})).ok).toBe(false);
  });

  it("concurrent calls in four processes refresh an expired token of an MCP server once", async () => {
    const signIns = await serveSignIns();
    const folder = join(temporaryFolder(), "state");
    const first = waybillOf(source(signIns.url, { authorize: agree }, folder));
    expect((await first.execute("far.greet", {})).ok).toBe(true);
    signIns.expire();
    const user = await sharedBundle(pathToFileURL(fixture("oauth-user.ts")));
    const users = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, [user, `${signIns.url}/mcp`, folder]),
    );
    const said = (await Promise.all(users)).map(({ stdout }) => stdout.trim());
    expect(said).toEqual(["true", "true", "true", "true"]);
    expect(signIns.counts).toMatchObject({ asked: 1, refreshed: 1, replayed: 0 });
  });

  it("an expired token of an MCP server is refreshed without a person, even if the server names a scope", async () => {
    const signIns = await serveSignIns({ scope: "notes:read" });
    const settings = source(signIns.url, { authorize: agree }, join(temporaryFolder(), "state"));
    const waybill = waybillOf(settings);
    expect((await waybill.execute("far.greet", {})).ok).toBe(true);
    signIns.expire();
    expect((await waybill.execute("far.greet", {})).ok).toBe(true);
    expect(signIns.counts).toMatchObject({ asked: 1, refreshed: 1 });
  });

  it("a person signs in to an MCP server through a redirect to a loopback address", async () => {
    const { url } = await serveSignIns();
    const redirectUrl = `http://127.0.0.1:${await freePort()}/callback`;
    const authorize = loopbackAuthorize({ open: follow, redirectUrl });
    const auth = { authorize, redirectUrl };
    const waybill = waybillOf(source(url, auth, join(temporaryFolder(), "state")));
    expect((await waybill.execute("far.greet", {})).ok).toBe(true);
  });

  it("a request of another web page to the redirect address does not end the sign-in", async () => {
    const back = `http://127.0.0.1:${await freePort()}/callback`;
    const statuses: number[] = [];
    const open = async (): Promise<void> => {
      for (const query of ["", "?code=evil", "?code=evil&state=guess", "?code=good&state=right"]) {
        statuses.push((await fetch(`${back}${query}`)).status);
      }
    };
    const authorize = loopbackAuthorize({ open, redirectUrl: back });
    const address = await authorize(new URL("http://h/?state=right"));
    expect([statuses, address]).toEqual([[404, 404, 404, 200], `${back}?code=good&state=right`]);
  });

  it("a sign-in to an MCP server that nobody completes ends after its timeout", async () => {
    const redirectUrl = `http://127.0.0.1:${await freePort()}/callback`;
    const authorize = loopbackAuthorize({ open: ignore, redirectUrl, timeoutMs: 20 });
    await expect(authorize(new URL("http://h/"))).rejects.toThrow("The sign-in was not completed");
  });
});

describe("an MCP server that requires a program to sign in", () => {
  const robot = { grant: "client_credentials", clientId: "robot" } as const;

  it("a program signs in to an MCP server with its secret, which is not stored", async () => {
    const { url, counts } = await serveSignIns();
    const folder = join(temporaryFolder(), "state");
    const auth = { ...robot, clientSecret: "${env:ROBOT_SECRET}" };
    const settings = { ...source(url, auth, folder), environment: { ROBOT_SECRET: "secret" } };
    const result = await waybillOf(settings).execute("far.greet", {});
    expect(textOf(result.data)).toBe("hello");
    expect(counts.asked).toBe(0);
    const kept = await fileStore(folder).read(tokensKey(new URL(`${url}/mcp`)));
    expect(kept).toHaveProperty("tokens.access_token");
    expect(JSON.stringify(kept)).not.toContain("secret");
  });

  it("a program signs in to an MCP server with its private key from the environment", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const { url } = await serveSignIns({ publicKey });
    const folder = join(temporaryFolder(), "state");
    const auth = { ...robot, privateKey: "${env:ROBOT_KEY}" };
    const settings = { ...source(url, auth, folder), environment: { ROBOT_KEY: privateKey } };
    const result = await waybillOf(settings).execute("far.greet", {});
    expect(textOf(result.data)).toBe("hello");
    expect(
      JSON.stringify(await fileStore(folder).read(tokensKey(new URL(`${url}/mcp`)))),
    ).not.toContain("PRIVATE");
  });

  it("a call of an MCP server reports the reason if the secret of a program is wrong", async () => {
    const { url } = await serveSignIns();
    const problems: string[] = [];
    const auth = { ...robot, clientSecret: "wrong" };
    const waybill = waybillOf(source(url, auth, join(temporaryFolder(), "state")), {
      observer: { onProblem: ({ message }) => problems.push(message) },
    });
    await waybill.list_capabilities({ wait_ms: 60_000 });
    expect(problems[0]).toMatch("Signing in failed");
  });
});
