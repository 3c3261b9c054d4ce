import { describe, expect, it } from "vitest";
import type { CardsSourceConfig } from "@waybill/local";
import { tokenAccess } from "./token-access.ts";

const ENV = { T: " secret ", EMPTY: " " };

function source(more: Partial<CardsSourceConfig>): CardsSourceConfig {
  return { kind: "cards", folder: "cards", ...more };
}

describe("tokenAccess", () => {
  it("knows no token where none is configured", () => {
    const access = tokenAccess(source({ rest: { baseUrl: "https://a.example/v1" } }), ENV);
    expect(access.facts).toEqual({ host: "a.example" });
    expect(access.tokenFor("a.example")).toBeUndefined();
  });

  it("reads the token from the environment", () => {
    const rest = { baseUrl: "https://api.a.example" };
    const access = tokenAccess(source({ rest, token: { env: "T" }, host: "A.example" }), ENV);
    expect(access.facts).toEqual({ host: "a.example", tokenPresent: true });
    expect(access.tokenFor("api.a.example")).toBe("secret");
  });

  it.each(["EMPTY", "NONE"])("says that %s holds no token", (env) => {
    const access = tokenAccess(source({ token: { env }, host: "a.example" }), ENV);
    expect(access.facts).toEqual({ host: "a.example", tokenPresent: false });
  });

  it.each(["evil.example", "nota.example", "a.example.evil.example"])(
    "keeps it from %s",
    (host) => {
      const graphql = { url: `https://${host}/graphql` };
      const access = tokenAccess(source({ graphql, token: { env: "T" }, host: "a.example" }), ENV);
      expect(access.tokenFor(host)).toBeUndefined();
      expect(access.facts).toEqual({ host, tokenHost: "a.example", tokenPresent: true });
    },
  );
});
