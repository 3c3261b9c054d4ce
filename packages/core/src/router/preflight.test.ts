import { describe, expect, it } from "vitest";
import { PREFLIGHT_CODES } from "../envelope/index.ts";
import type { PreflightCode } from "../envelope/index.ts";
import { codeForSkips, preflightSkip, reasonForSkip } from "./preflight.ts";
import type { RouteNeeds } from "./preflight.ts";
import type { EnvironmentInfo } from "./route.ts";

const cli: RouteNeeds = { route: "cli", minGhVersion: "2.20.0", scopes: ["repo"] };
const rest: RouteNeeds = { route: "rest", scopes: ["repo", "gist"] };

describe("preflightSkip", () => {
  it("a route passes its preflight check if nothing is known about the environment", () => {
    expect(preflightSkip(cli, {})).toBeUndefined();
    expect(preflightSkip(rest, {})).toBeUndefined();
  });

  it.each<[RouteNeeds, EnvironmentInfo, PreflightCode, string]>([
    [
      { ...cli, limitExceeded: "a page has at most 100 items" },
      {},
      "LIMIT_EXCEEDED",
      "a page has at most 100 items",
    ],
    [cli, { offline: true, ghAvailable: false }, "OFFLINE", "disabled"],
    [cli, { ghAvailable: false, ghAuthenticated: false }, "CLI_NOT_AVAILABLE", "Install"],
    [cli, { ghVersion: "2.9.1", ghAuthenticated: false }, "CLI_VERSION", "2.20.0, found 2.9.1"],
    [cli, { ghVersion: "1.99" }, "CLI_VERSION", "found 1.99"],
    [cli, { ghVersion: "2.20.0", ghAuthenticated: false }, "CLI_UNAUTHENTICATED", "gh auth login"],
    [cli, { scopes: [] }, "SCOPE_MISSING", "lacks the scope repo"],
    [rest, { tokenPresent: false, host: "example.com" }, "TOKEN_MISSING", "example.com"],
    [rest, { tokenPresent: false }, "TOKEN_MISSING", "No token for the host"],
    [rest, { tokenHost: "a.com", host: "b.com" }, "HOST_MISMATCH", "for a.com, not for b.com"],
    [rest, { scopes: ["repo"] }, "SCOPE_MISSING", "gist"],
  ])(
    "the preflight check skips the route %j in the environment %j with the code %s",
    (needs, facts, code, hint) => {
      const skip = preflightSkip(needs, facts);
      expect(skip?.code).toBe(code);
      expect(skip?.hint).toContain(hint);
    },
  );

  it("the preflight check skips a route whose source is down", () => {
    expect(preflightSkip(rest, { sourceDown: true })).toEqual({ code: "SOURCE_DOWN" });
  });

  it.each(["2.20.0", "2.20.1", "2.21", "3", "2.20.0-rc1"])(
    "the CLI version %s passes the preflight check",
    (ghVersion) => {
      expect(preflightSkip(cli, { ghVersion })).toBeUndefined();
    },
  );

  it("the preflight check accepts a local route offline, and the CLI route without a token", () => {
    expect(preflightSkip({ route: "local" }, { offline: true })).toBeUndefined();
    expect(preflightSkip(cli, { tokenPresent: false })).toBeUndefined();
  });
});

describe("reasonForSkip", () => {
  it.each([
    ["cli", "CLI_NOT_AVAILABLE", "CLI_NOT_AVAILABLE"],
    ["cli", "CLI_UNAUTHENTICATED", "CLI_UNAUTHENTICATED"],
    ["cli", "CLI_VERSION", "CAPABILITY_LIMIT"],
    ["rest", "LIMIT_EXCEEDED", "CAPABILITY_LIMIT"],
    ["rest", "TOKEN_MISSING", "ENV_CONSTRAINT"],
    ["rest", "HOST_MISMATCH", "ENV_CONSTRAINT"],
    ["rest", "SOURCE_DOWN", "ENV_CONSTRAINT"],
    ["rest", "OFFLINE", "ENV_CONSTRAINT"],
    ["rest", "SCOPE_MISSING", "PREFLIGHT_FAILED"],
    ["rest", "CLI_NOT_AVAILABLE", "PREFLIGHT_FAILED"],
  ] as const)(
    "the preflight check that skips the route %s with %s gives the reason %s",
    (route, code, reason) => {
      expect(reasonForSkip(route, code)).toBe(reason);
    },
  );
});

describe("codeForSkips", () => {
  it("a call whose routes are all skipped has the error code of the preferred route", () => {
    expect(codeForSkips([{ code: "OFFLINE" }, { code: "CLI_VERSION" }])).toBe("NETWORK");
    expect(codeForSkips([{ code: "CLI_VERSION" }, { code: "OFFLINE" }])).toBe(
      "ADAPTER_UNSUPPORTED",
    );
    expect(codeForSkips([])).toBe("ADAPTER_UNSUPPORTED");
  });

  it("a call whose routes are all skipped returns AUTH if credentials would make one of them usable", () => {
    const auth = (Object.keys(PREFLIGHT_CODES) as PreflightCode[]).filter(
      (code) => PREFLIGHT_CODES[code].code === "AUTH",
    );
    expect(auth.length).toBeGreaterThan(0);
    for (const code of auth) expect(codeForSkips([{ code: "OFFLINE" }, { code }])).toBe("AUTH");
  });
});
