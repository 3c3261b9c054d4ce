import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readToken } from "@waybill/adapters/http";
import { findGithub } from "./find-github.ts";

describe("host selection", () => {
  let state = "";
  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), "waybill-place-"));
  });
  afterAll(() => rm(state, { recursive: true, force: true }));

  const find = (env: Record<string, string>, configured?: string) =>
    findGithub({ env, configured, state, program: "no-such-gh" });

  it("the GitHub pack calls github.com with the token of github.com by default", async () => {
    const place = await find({ GITHUB_TOKEN: "two", GH_TOKEN: "one", GH_ENTERPRISE_TOKEN: "no" });
    expect(place).toMatchObject({
      host: "github.com",
      restUrl: "https://api.github.com",
      graphqlUrl: "https://api.github.com/graphql",
      ghToken: "one",
    });
    expect(await readToken(place.token)).toBe("one");
  });

  it("the GitHub pack calls the Enterprise Server in GH_HOST without the token of github.com", async () => {
    const place = await find({ GH_HOST: "Ghe.Example.com", GH_TOKEN: "one" });
    expect(place).toMatchObject({
      host: "ghe.example.com",
      restUrl: "https://ghe.example.com/api/v3",
      graphqlUrl: "https://ghe.example.com/api/graphql",
      tokenHost: "github.com",
    });
    expect(await readToken(place.token)).toBeUndefined();
    const signed = await find({ GH_HOST: "ghe.example.com", GH_ENTERPRISE_TOKEN: "three" });
    expect(await readToken(signed.token)).toBe("three");
  });

  it("the GitHub pack calls a ghe.com tenant on its own API host", async () => {
    const place = await find({ GH_HOST: "octo.ghe.com", GH_TOKEN: "one" });
    expect(place.restUrl).toBe("https://api.octo.ghe.com");
    expect(await readToken(place.token)).toBe("one");
  });

  it.each([
    [{ WAYBILL_GITHUB: "http://127.0.0.1:8080/" }, undefined],
    [{ GH_HOST: "ghe.example.com" }, "http://127.0.0.1:8080"],
  ])(
    "the GitHub pack calls the GitHub emulator for the environment %j and the setting %j",
    async (env, configured) => {
      const place = await find({ GH_TOKEN: "real", ...env }, configured);
      expect(place).toMatchObject({
        restUrl: "http://127.0.0.1:8080",
        graphqlUrl: "http://127.0.0.1:8080/graphql",
        ghConfigDir: null,
        warning: expect.stringContaining("embedded GitHub") as string,
      });
      expect(await readToken(place.token)).not.toBe("real");
    },
  );

  it("the GitHub pack writes a gh configuration for an emulator on a Unix socket", async () => {
    const place = await find({ WAYBILL_GITHUB: "/tmp/gh.sock", GH_TOKEN: "real" });
    expect(place).toMatchObject({ socketPath: "/tmp/gh.sock" });
    expect(place.ghToken).not.toBe("real");
    const config = await readFile(join(place.ghConfigDir ?? "", "config.yml"), "utf8");
    expect(config).toBe('http_unix_socket: "/tmp/gh.sock"\n');
  });

  it.each([
    [{ WAYBILL_GITHUB: "relative.sock" }, "WAYBILL_GITHUB must be"],
    [{ GH_HOST: "https://ghe.example.com@evil" }, "GH_HOST must be a host name"],
    [{ GH_HOST: "ghe.example.com/evil" }, "GH_HOST must be a host name"],
    [{ GH_HOST: "-x" }, "GH_HOST must be a host name"],
  ])("the GitHub pack rejects the environment %j as invalid", async (env, message) => {
    await expect(find(env)).rejects.toThrow(message);
  });
});
