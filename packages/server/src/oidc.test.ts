import { SignJWT, exportSPKI, generateKeyPair } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { Shop } from "./fixtures/shop.ts";
import { AUDIENCE, startSignInProvider } from "../../../test/support/sign-in-provider.ts";
import type { SignInProvider } from "../../../test/support/sign-in-provider.ts";
import { createHttpApp } from "./index.ts";
import type { HttpAppOptions, OidcProviderOptions, RefusedRequest } from "./index.ts";

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly ok: boolean;
    readonly data: unknown;
    readonly error: { code: string; message: string } | null;
  };
}

const STATIC = { token: "a-static-token-of-bob", identity: { id: "bob", scopes: ["guest"] } };
const HOST = { host: "127.0.0.1:8080" };
let provider: SignInProvider;

beforeAll(async () => {
  provider = await startSignInProvider();
});
afterAll(() => provider.close());
afterEach(() => void vi.useRealTimers());

class Door {
  readonly refused: RefusedRequest[] = [];
  readonly shop = new Shop();
  readonly app;

  constructor(own: Partial<OidcProviderOptions> = {}, options: Partial<HttpAppOptions> = {}) {
    const corp = { name: "corp", issuer: provider.issuer, audience: AUDIENCE, ...own };
    this.app = createHttpApp({
      waybill: this.shop.waybill(),
      version: "1.2.3",
      tokens: [STATIC],
      oidc: [corp],
      onRefused: (refused) => void this.refused.push(refused),
      ...options,
    });
  }

  async call(token: string, id = "item.view"): Promise<Answered> {
    const request = new Request(`http://127.0.0.1:8080/v1/execute/${id}`, {
      method: "POST",
      headers: { ...HOST, "content-type": "application/json", authorization: `Bearer ${token}` },
      body: id === "item.view" ? '{"params":{"id":3}}' : "{}",
    });
    const response = await this.app.fetch(request);
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as Answered["body"] };
  }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const seconds = (ahead: number): number => Math.floor(Date.now() / 1_000) + ahead;

async function signedWithPublicKey(): Promise<string> {
  const secret = new TextEncoder().encode(await exportSPKI(provider.key));
  return new SignJWT({ iss: provider.issuer, aud: AUDIENCE, sub: "ada", exp: seconds(600) })
    .setProtectedHeader({ alg: "HS256", kid: "key-1" })
    .sign(secret);
}

async function signedByAnother(): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256");
  return new SignJWT({ iss: provider.issuer, aud: AUDIENCE, sub: "ada", exp: seconds(600) })
    .setProtectedHeader({ alg: "RS256", kid: "key-1" })
    .sign(privateKey);
}

function unsigned(): Promise<string> {
  const claims = { iss: provider.issuer, aud: AUDIENCE, sub: "ada", exp: seconds(600) };
  return Promise.resolve(`${part({ alg: "none" })}.${part(claims)}.`);
}

/** Invalid tokens, each with the text that the answer has about it. */
const WRONG: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
  ["a token with the algorithm none", unsigned, /signed with none, but only RS256/u],
  ["a token signed by HS256 with the public key", signedWithPublicKey, /signed with HS256/u],
  [
    "a token signed by another key with a known id",
    signedByAnother,
    /signature of the token is wrong/u,
  ],
  [
    "a token signed by an unknown key",
    () => provider.sign({}, { kid: "key-9" }),
    /has no key key-9/u,
  ],
  [
    "a token for another audience",
    () => provider.sign({ aud: "https://other.example" }),
    /for https:\/\/other/u,
  ],
  ["a token without an audience", () => provider.sign({ aud: undefined }), /"aud"|for nobody/u],
  [
    "a token of another issuer",
    () => provider.sign({ iss: "https://evil.example" }),
    /from https:\/\/evil/u,
  ],
  ["a token without an issuer", () => provider.sign({ iss: undefined }), /from nobody/u],
  [
    "an expired token",
    () => provider.sign({ exp: seconds(-120) }),
    /expired at 20.*sign in again/u,
  ],
  ["a token without an expiry", () => provider.sign({ exp: undefined }), /claim "exp"/u],
  [
    "a token that is not valid yet",
    () => provider.sign({ nbf: seconds(120) }),
    /not valid before 20/u,
  ],
  [
    "a token without a subject",
    () => provider.sign({ sub: undefined }),
    /"sub" of the token has no valid caller id/u,
  ],
  [
    "a token whose subject contains a line break",
    () => provider.sign({ sub: "ada\nroot" }),
    /has no valid caller id/u,
  ],
  ["a changed token", async () => changed(await provider.sign({})), /signature of the token/u],
  ["an opaque token", async () => "3f8e1c2a9b7d4e6f", /is unknown/u],
  ["a token of three invalid parts", async () => "aaaaaaaa.bbbbbbbb.cccccccc", /is unknown/u],
  ["a very long token", async () => `a.${"b".repeat(20_000)}.c`, /is unknown/u],
];

function changed(token: string): string {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
  return [header, part({ ...claims, sub: "root" }), signature].join(".");
}

describe("OIDC sign-in", () => {
  it("a caller with an OIDC token has the scopes of the token", async () => {
    const door = new Door();
    const staff = await provider.token("staff");
    expect(await door.call(staff)).toMatchObject({ status: 200, body: { ok: true } });
    expect((await door.call(staff, "staff.report")).status).toBe(200);
    const guest = await provider.token("guest");
    expect(await door.call(guest, "staff.report")).toMatchObject({
      status: 403,
      body: { error: { code: "POLICY" } },
    });
  });

  it("the HTTP server accepts a static token if OIDC is configured as well", async () => {
    expect((await new Door().call(STATIC.token)).status).toBe(200);
  });

  it.each(WRONG)(
    "the HTTP server returns 401 with the reason for %s",
    async (_name, token, sentence) => {
      const door = new Door();
      const { status, headers, body } = await door.call(await token());
      expect([status, body.ok, body.error?.code]).toEqual([401, false, "AUTH"]);
      expect(body.error?.message).toMatch(sentence);
      expect(headers.get("www-authenticate")).toContain('realm="waybill"');
      expect(door.shop.begun).toEqual([]);
      expect(door.refused).toMatchObject([{ status: 401, capability_id: "item.view" }]);
    },
  );

  it("the HTTP server accepts an expired OIDC token within the configured clock skew", async () => {
    const late = await provider.sign({ exp: seconds(-120) });
    expect((await new Door({ clockSkewSeconds: 300 }).call(late)).status).toBe(200);
  });

  it("the HTTP server refuses an OIDC token whose algorithm is not listed", async () => {
    const { body } = await new Door({ algorithms: ["ES256"] }).call(await provider.sign({}));
    expect(body.error?.message).toContain("signed with RS256, but only ES256");
  });

  it("a configured OIDC claim names the caller, but an unverified email address returns 401", async () => {
    const own = { idClaim: "email", limits: { perSecond: 0.001, burst: 1 } };
    const proven = await provider.sign({ email: "ada@corp.example" });
    expect((await new Door(own).call(proven)).status).toBe(200);
    for (const [email_verified, status] of [
      [true, 200],
      ["true", 200],
      [false, 401],
      ["false", 401],
      [null, 401],
      [0, 401],
    ] as const) {
      const token = await provider.sign({ email: "ada@corp.example", email_verified });
      expect([email_verified, (await new Door(own).call(token)).status]).toEqual([
        email_verified,
        status,
      ]);
    }
  });

  it("the HTTP server uses known OIDC keys for a day while the provider is down, then returns 503", async () => {
    const other = await startSignInProvider();
    const door = new Door({ issuer: other.issuer });
    const token = await other.sign({ exp: seconds(200_000) });
    expect((await door.call(token)).status).toBe(200);
    other.close();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    expect((await door.call(token)).status).toBe(200);
    vi.setSystemTime(Date.now() + 86_400_000);
    expect((await door.call(token)).status).toBe(503);
    vi.useRealTimers();
    const { status, headers, body } = await new Door({ issuer: other.issuer }).call(token);
    expect([status, body.error?.code]).toEqual([503, "NOT_READY"]);
    expect(body.error?.message).toContain("the sign-in provider corp does not answer");
    expect(headers.get("retry-after")).toBe("30");
  });

  it("the HTTP server asks the OIDC provider for its keys once, even if many tokens have unknown keys", async () => {
    const door = new Door();
    const before = provider.keyRequests();
    for (let count = 0; count < 20; count++) {
      await door.call(await provider.sign({}, { kid: `unknown-${count}` }));
    }
    expect(provider.keyRequests() - before).toBe(1);
  });

  it("the HTTP server gives each OIDC caller a separate rate limit", async () => {
    const door = new Door({ limits: { perSecond: 0.001, burst: 2 } });
    const token = await provider.sign({});
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await door.call(token)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(door.refused).toMatchObject([{ status: 429, caller: "corp:ada" }]);
    expect((await door.call(await provider.sign({ sub: "eve" }))).status).toBe(200);
    expect((await door.call(STATIC.token)).status).toBe(200);
  });

  it("a 401 response of the HTTP server says where to sign in", async () => {
    const door = new Door({}, { url: "https://waybill.example" });
    const place = "https://waybill.example/.well-known/oauth-protected-resource";
    const { headers } = await door.call("x");
    expect(headers.get("www-authenticate")).toContain(`resource_metadata="${place}"`);
    for (const path of ["", "/mcp"]) {
      const url = `http://127.0.0.1:8080/.well-known/oauth-protected-resource${path}`;
      const answer = await door.app.fetch(new Request(url, { headers: HOST }));
      expect(await answer.json()).toEqual({
        resource: "https://waybill.example",
        authorization_servers: [provider.issuer],
        bearer_methods_supported: ["header"],
      });
    }
  });

  it("the HTTP server refuses to start with an OIDC issuer without https", () => {
    expect(() => new Door({ issuer: "http://id.example" })).toThrow("must be an https address");
  });
});

describe("concurrent requests", () => {
  it("the HTTP server returns 429 to an OIDC caller over the limit of concurrent requests", async () => {
    const door = new Door({}, { tokens: [{ ...STATIC, limits: { concurrent: 1 } }] });
    const ends: (() => void)[] = [];
    door.shop.moment = () => new Promise<void>((resolve) => ends.push(resolve));
    const first = door.call(STATIC.token, "item.late");
    await expect.poll(() => ends).toHaveLength(1);
    expect((await door.call(STATIC.token)).status).toBe(429);
    ends[0]?.();
    expect((await first).status).toBe(200);
    expect((await door.call(STATIC.token)).status).toBe(200);
  });
});
