import { describe, expect, it } from "vitest";
import type { CardsSourceConfig } from "@waybill/state";
import { Secrets } from "./secrets.ts";
import { tokenAccess } from "./token-access.ts";

const SECRETS = new Secrets({ T: " secret ", EMPTY: " " });

function source(more: Partial<CardsSourceConfig>): CardsSourceConfig {
  return { kind: "cards", folder: "cards", ...more };
}

describe("tokenAccess", () => {
  it("tokenAccess has no token if none is configured", async () => {
    const access = await tokenAccess(
      source({ rest: { baseUrl: "https://a.example/v1" } }),
      SECRETS,
    );
    expect(access.facts).toEqual({ host: "a.example" });
    expect(access.tokenFor("a.example")).toBeUndefined();
  });

  it("tokenAccess reads the token from the environment", async () => {
    const rest = { baseUrl: "https://api.a.example" };
    const access = await tokenAccess(
      source({ rest, token: { env: "T" }, host: "A.example" }),
      SECRETS,
    );
    expect(access.facts).toEqual({ host: "a.example", tokenPresent: true });
    expect(access.tokenFor("api.a.example")).toBe("secret");
  });

  it.each(["EMPTY", "NONE"])(
    "tokenAccess says that the environment variable %s holds no token",
    async (env) => {
      const access = await tokenAccess(source({ token: { env }, host: "a.example" }), SECRETS);
      expect(access.facts).toEqual({ host: "a.example", tokenPresent: false });
    },
  );

  it.each(["evil.example", "nota.example", "a.example.evil.example"])(
    "tokenAccess does not give the token to %s",
    async (host) => {
      const graphql = { url: `https://${host}/graphql` };
      const access = await tokenAccess(
        source({ graphql, token: { env: "T" }, host: "a.example" }),
        SECRETS,
      );
      expect(access.tokenFor(host)).toBeUndefined();
      expect(access.facts).toEqual({ host, tokenHost: "a.example", tokenPresent: true });
    },
  );
});
