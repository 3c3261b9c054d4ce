import { makeAttempt } from "@waybill/core/testing";
import { describe, expect, it } from "vitest";
import type { CardRequest } from "@waybill/core/cards";
import { fixture } from "./fixtures/support.mjs";
import { ghRoute } from "./index.ts";

const TOKEN = "t0k3n-t0k3n";
const env = { PATH: process.env["PATH"] ?? "", NPM_TOKEN: "other", GH_DEBUG: "api" };
const command: CardRequest = { kind: "command", argv: ["issue", "list"], isJson: true };
const get: CardRequest = { kind: "rest", method: "GET", path: "/user", query: [], headers: {} };

const attempt = makeAttempt("write");

function withCode(code: string, outcome: string): unknown {
  const details: unknown = expect.objectContaining({ code, outcome });
  return expect.objectContaining({ details });
}

describe("a gh that behaves unexpectedly", () => {
  it.each([
    ["html", command, "SERVER"],
    ["html", get, "UNKNOWN"],
    ["half-json", command, "SERVER"],
    ["half-json", get, "UNKNOWN"],
    ["nothing", command, "SERVER"],
    ["nothing", get, "UNKNOWN"],
    ["killed", command, "UNKNOWN"],
    ["killed", get, "UNKNOWN"],
    ["loud", command, "UNKNOWN"],
    ["not-found", command, "NOT_FOUND"],
    ["not-found", get, "NETWORK"],
    ["flood", command, "TOO_LARGE"],
    ["flood", get, "UNKNOWN"],
  ] as const)("reports an unknown outcome for the gh fixture %s", async (name, request, code) => {
    const route = ghRoute({ program: fixture(name), env, token: TOKEN });
    await expect(route.send(request, attempt)).rejects.toThrow(withCode(code, "unknown"));
  });

  it("returns the first page if gh prints 200 MB of text", async () => {
    const route = ghRoute({ program: fixture("flood"), env });
    const { response } = await route.send({ ...command, isJson: false }, attempt);
    expect(String(response.data)).toHaveLength(20_000_000);
    expect(response.meta.warnings).toEqual(["The first 20000000 of 200000000 bytes are here"]);
  });

  it.each([command, get])(
    "reports that nothing was sent if gh is not logged in",
    async (request) => {
      const route = ghRoute({ program: fixture("no-login"), env });
      await expect(route.send(request, attempt)).rejects.toThrow(withCode("AUTH", "not_applied"));
    },
  );

  it("reports that nothing was sent if gh is missing", async () => {
    const route = ghRoute({ program: "no-such-gh", env });
    await expect(route.send(get, attempt)).rejects.toThrow(
      withCode("ADAPTER_UNSUPPORTED", "not_applied"),
    );
  });
});

describe("arguments and environment of gh", () => {
  const echo = ghRoute({ program: fixture("echo"), env, host: "ghe.example", token: TOKEN });

  it("gh gets only its own token and host, and variables that make it quiet", async () => {
    const read = { ...attempt, effect: "read" } as const;
    const { response } = await echo.send({ ...command, stdin: "in" }, read);
    expect(response.data).toEqual({
      argv: ["issue", "list"],
      stdin: "in",
      env: {
        PATH: env.PATH,
        // The header is still there: only the token itself is removed.
        GH_ENTERPRISE_TOKEN: "[redacted]",
        GH_HOST: "ghe.example",
        GH_PROMPT_DISABLED: "1",
        GH_NO_UPDATE_NOTIFIER: "1",
        GIT_TERMINAL_PROMPT: "0",
        NO_COLOR: "1",
      },
    });
  });

  it.each([
    [["issue", "list", "--repo=evil.example/o/r"]],
    [["issue", "list", "-R", "evil.example/o/r"]],
    [["issue", "view", "--", "https://evil.example/o/r/issues/1"]],
    [["repo", "clone", "--", "git@evil.example:o/r.git"]],
  ])("gh never gets the token with arguments that name another host: %j", async (argv) => {
    const sent = echo.send({ kind: "command", argv, isJson: true }, attempt);
    await expect(sent).rejects.toThrow("evil.example");
    await expect(sent).rejects.toThrow(withCode("VALIDATION", "not_applied"));
  });

  it.each([
    [["issue", "list", "--repo=ghe.example/o/r"]],
    [["issue", "view", "--", "https://ghe.example/o/r/issues/1"]],
    [["issue", "comment", "--body=https://other.example me@other.example:22", "--", "1"]],
  ])("gh arguments can name the configured host, and any host in text: %j", async (argv) => {
    const { response } = await echo.send({ kind: "command", argv, isJson: true }, attempt);
    expect(response.data).toMatchObject({ argv });
  });

  it.each([
    [{ authorization: "token x" }, "ADAPTER_UNSUPPORTED"],
    [{ accept: "a\r\nhost: b" }, "VALIDATION"],
    [{ "a b": "c" }, "VALIDATION"],
  ])("refuses headers that gh cannot send: %j", async (headers, code) => {
    const sent = echo.send({ ...get, headers: { ...headers } }, attempt);
    await expect(sent).rejects.toThrow(withCode(code, "not_applied"));
  });

  it("a described gh request contains no secrets", () => {
    const body = { title: TOKEN };
    const request = { ...get, method: "POST", query: [["key", TOKEN]], body } as CardRequest;
    expect(echo.describe(request)).toEqual({
      route: "cli",
      host: "ghe.example",
      command: [
        fixture("echo"),
        "api",
        "--include",
        "--method=POST",
        "--input=-",
        "--",
        "/user?key=[redacted]",
      ],
      stdin: '{"title":"[redacted]"}',
    });
  });
});
