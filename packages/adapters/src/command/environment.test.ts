import { describe, expect, it } from "vitest";
import { ghEnvironment } from "./gh-environment.ts";
import { scrubEnvironment, tokenFromEnvironment } from "./index.ts";

const env = {
  PATH: "/bin",
  LC_ALL: "C",
  https_proxy: "http://proxy",
  XDG_CACHE_HOME: "/cache",
  GH_TOKEN: "other",
  AWS_SECRET_ACCESS_KEY: "s",
  NPM_TOKEN: "n",
  NODE_OPTIONS: "--inspect",
  GH_REPO: "o/r",
  GONE: undefined,
};

describe("scrubEnvironment", () => {
  it("scrubEnvironment keeps the variables that every program needs and drops all other variables", () => {
    expect(scrubEnvironment(env)).toEqual({
      PATH: "/bin",
      LC_ALL: "C",
      https_proxy: "http://proxy",
      XDG_CACHE_HOME: "/cache",
    });
  });

  it("scrubEnvironment keeps the variables that the caller names", () => {
    expect(scrubEnvironment({ A_B: "1", C: "2" }, ["a_*"])).toEqual({ A_B: "1" });
  });
});

function getTokens(host: string, version?: string): object {
  const { GH_TOKEN, GH_ENTERPRISE_TOKEN } = ghEnvironment({ env, host, token: "t", version });
  return { GH_TOKEN, GH_ENTERPRISE_TOKEN };
}

describe("the environment of gh", () => {
  it("gh gets the token in the environment variable that this version of gh reads for its host", () => {
    expect(getTokens("github.com")).toEqual({ GH_TOKEN: "t" });
    expect(getTokens("ghe.example")).toEqual({ GH_ENTERPRISE_TOKEN: "t" });
    expect(getTokens("acme.ghe.com", "2.60.1")).toEqual({ GH_TOKEN: "t" });
    expect(getTokens("acme.ghe.com", "2.23.0")).toEqual({
      GH_TOKEN: "t",
      GH_ENTERPRISE_TOKEN: "t",
    });
  });

  it("gh gets no token from Waybill's environment if the caller passes no token", () => {
    const own = ghEnvironment({ env, host: "github.com" });
    expect(own).not.toHaveProperty("GH_TOKEN");
    expect(own).not.toHaveProperty("GH_REPO");
    expect(own).toMatchObject({ GH_HOST: "github.com", GH_PROMPT_DISABLED: "1", NO_COLOR: "1" });
  });

  it("tokenFromEnvironment reads the token variables in the same order as gh", () => {
    const both = { GITHUB_TOKEN: "b", GH_TOKEN: "", GITHUB_ENTERPRISE_TOKEN: "e" };
    expect(tokenFromEnvironment("github.com", both)).toBe("b");
    expect(tokenFromEnvironment("acme.ghe.com", both)).toBe("b");
    expect(tokenFromEnvironment("ghe.example", both)).toBe("e");
    expect(tokenFromEnvironment("ghe.example", {})).toBeUndefined();
  });
});
