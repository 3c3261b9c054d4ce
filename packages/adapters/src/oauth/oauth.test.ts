import { afterEach, describe, expect, it } from "vitest";
import { createHttpTransport } from "../http/index.ts";
import { browse } from "./fixtures/browser.ts";
import {
  DEVICE,
  PROGRAM,
  REDIRECT_URL,
  startAuthorizationServer,
} from "./fixtures/authorization-server.ts";
import type { RealServer } from "./fixtures/authorization-server.ts";
import { CONNECTION_KEY, connectionToken, discoverEndpoints, signIn } from "./index.ts";
import type { ConnectionStore, OAuthConnection, SigningPerson } from "./index.ts";

const open: RealServer[] = [];
const transport = createHttpTransport({ allowPrivate: true });

afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function start(options?: Parameters<typeof startAuthorizationServer>[0]) {
  const server = await startAuthorizationServer(options);
  open.push(server);
  const document = `${server.issuer}/.well-known/openid-configuration`;
  return { server, endpoints: await discoverEndpoints(document, transport) };
}

/** A person who agrees to everything. */
const person: SigningPerson = {
  redirectUrl: REDIRECT_URL,
  authorize: (page) => browse(page.href, REDIRECT_URL),
  showCode: async ({ completePage }) => {
    await browse(completePage!);
  },
};

function storeWith(connection: OAuthConnection): ConnectionStore & { value: OAuthConnection } {
  let last: Promise<unknown> = Promise.resolve();
  const store = {
    value: connection,
    read: async () => store.value,
    write: async (_key: string, value: unknown) => {
      store.value = value as OAuthConnection;
    },
    exclusive: <T>(_key: string, work: () => Promise<T>): Promise<T> => {
      const mine = last.then(work);
      last = mine.catch(() => {});
      return mine;
    },
  };
  return store;
}

describe("signIn with an OAuth server on loopback", () => {
  it("signIn registers a client and signs a person in with a code and PKCE", async () => {
    const { server, endpoints } = await start();
    const scope = "openid offline_access pets:read";
    const connection = await signIn(
      { grant: "authorization_code", endpoints, scope },
      person,
      transport,
    );
    expect(await server.isValid(connection.tokens.access)).toBe(true);
    expect(connection.tokens.refresh).toBeDefined();
    expect(connection.client.id).not.toBe("");
  });

  it("signIn signs a person in with a code that the person enters on another device", async () => {
    const { server, endpoints } = await start();
    const connection = await signIn(
      { grant: "device_code", endpoints, client: DEVICE, scope: "openid offline_access" },
      person,
      transport,
    );
    expect(await server.isValid(connection.tokens.access)).toBe(true);
    expect(server.grants["urn:ietf:params:oauth:grant-type:device_code"]).toBe(1);
  });

  it.each(["client_secret_basic", "client_secret_post"])(
    "signIn signs a program in with its secret, sent as %s",
    async (sentAs) => {
      const { server, endpoints } = await start({ sentAs });
      const connection = await signIn(
        { grant: "client_credentials", endpoints, client: PROGRAM },
        person,
        transport,
      );
      expect(await server.isValid(connection.tokens.access)).toBe(true);
    },
  );

  it("signIn fails with a hint to pass --client-id if the server allows no registration", async () => {
    const { endpoints } = await start();
    const { registrationUrl: _none, ...closed } = endpoints;
    const asked = signIn({ grant: "authorization_code", endpoints: closed }, person, transport);
    const error = await asked.catch((thrown: unknown) => JSON.stringify(thrown));
    expect(error).toContain("--client-id");
  });

  it("the error for a sign-in that the OAuth server refused contains the server's error", async () => {
    const { endpoints } = await start();
    const client = { id: PROGRAM.id, secret: "wrong" };
    const asked = signIn({ grant: "client_credentials", endpoints, client }, person, transport);
    await expect(asked).rejects.toThrow("invalid_client");
  });

  it("signIn refuses a code whose state belongs to another sign-in", async () => {
    const { endpoints } = await start();
    const forged = { ...person, authorize: async () => `${REDIRECT_URL}?code=x&state=other` };
    const asked = signIn({ grant: "authorization_code", endpoints }, forged, transport);
    await expect(asked).rejects.toMatchObject({ details: { code: "AUTH" } });
  });
});

describe("connectionToken", () => {
  const hint = "waybill connect pets";

  it("a token that the API refuses is renewed once for concurrent callers, and the new refresh token is stored", async () => {
    const { server, endpoints } = await start();
    const scope = "openid offline_access";
    const request = { grant: "authorization_code", endpoints, scope } as const;
    const store = storeWith(await signIn(request, person, transport));
    const { access, refresh } = store.value.tokens;
    const token = connectionToken({ store, transport, hint });
    expect(await token()).toBe(access);
    const renewed = await Promise.all([token([access]), token([access]), token([access])]);
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]).not.toBe(access);
    expect(await server.isValid(renewed[0]!)).toBe(true);
    expect(server.grants["refresh_token"]).toBe(1);
    expect(store.value.tokens.refresh).not.toBe(refresh);
  });

  it("an OAuth token is renewed before it expires", async () => {
    const { server, endpoints } = await start({ accessSeconds: 10 });
    const request = { grant: "client_credentials", endpoints, client: PROGRAM } as const;
    const store = storeWith(await signIn(request, person, transport));
    const first = store.value.tokens.access;
    expect(await connectionToken({ store, transport, hint })()).not.toBe(first);
    expect(server.grants["client_credentials"]).toBe(2);
  });

  it("the error for an OAuth token that cannot be renewed says how to sign in again", async () => {
    const { endpoints } = await start();
    const scope = "openid offline_access";
    const request = { grant: "authorization_code", endpoints, scope } as const;
    const connection = await signIn(request, person, transport);
    const { refresh: _none, ...tokens } = connection.tokens;
    const store = storeWith({ ...connection, tokens });
    const asked = connectionToken({ store, transport, hint })([tokens.access]);
    await expect(asked).rejects.toMatchObject({ details: { code: "AUTH", hint } });
  });

  it("connectionToken returns undefined if no connection is stored", async () => {
    const store = { ...storeWith({} as OAuthConnection), read: async () => undefined };
    expect(await connectionToken({ store, transport, hint })()).toBeUndefined();
    expect(CONNECTION_KEY).toBe("oauth");
  });
});
