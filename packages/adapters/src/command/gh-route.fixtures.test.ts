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

describe("ghRoute with a gh that behaves unexpectedly", () => {
  it.each([
    ["a gh command prints HTML", "html", command, "SERVER"],
    ["a gh api request prints HTML", "html", get, "UNKNOWN"],
    ["a gh command prints half of its JSON", "half-json", command, "SERVER"],
    ["a gh api request prints half of its JSON", "half-json", get, "UNKNOWN"],
    ["a gh command prints nothing", "nothing", command, "SERVER"],
    ["a gh api request prints nothing", "nothing", get, "UNKNOWN"],
    ["a gh command is killed", "killed", command, "UNKNOWN"],
    ["a gh api request is killed", "killed", get, "UNKNOWN"],
    ["a gh command prints 1 MB of errors", "loud", command, "UNKNOWN"],
    ["a gh command reports HTTP 404", "not-found", command, "NOT_FOUND"],
    ["a gh api request reports HTTP 404 without a response", "not-found", get, "NETWORK"],
    ["a gh command prints 200 MB instead of JSON", "flood", command, "TOO_LARGE"],
    ["a gh api request prints 200 MB", "flood", get, "UNKNOWN"],
  ] as const)(
    "ghRoute returns the code $3 and an unknown outcome if %s",
    async (_what, name, request, code) => {
      const route = ghRoute({ program: fixture(name), env, token: TOKEN });
      await expect(route.send(request, attempt)).rejects.toThrow(withCode(code, "unknown"));
    },
  );

  it("ghRoute returns the first page of the result if gh prints 200 MB of text", async () => {
    const route = ghRoute({ program: fixture("flood"), env });
    const { response } = await route.send({ ...command, isJson: false }, attempt);
    expect(String(response.data)).toHaveLength(20_000_000);
    expect(response.meta.warnings).toEqual([
      "The data has only the first 20000000 of 200000000 bytes",
    ]);
  });

  it.each([
    ["gh command", command],
    ["gh api request", get],
  ])(
    "ghRoute reports that nothing was sent for a %s if gh is not logged in",
    async (_kind, request) => {
      const route = ghRoute({ program: fixture("no-login"), env });
      await expect(route.send(request, attempt)).rejects.toThrow(withCode("AUTH", "not_applied"));
    },
  );

  it("ghRoute reports that nothing was sent if gh is missing", async () => {
    const route = ghRoute({ program: "no-such-gh", env });
    await expect(route.send(get, attempt)).rejects.toThrow(
      withCode("ADAPTER_UNSUPPORTED", "not_applied"),
    );
  });
});

describe("arguments and environment of gh", () => {
  const echo = ghRoute({ program: fixture("echo"), env, host: "ghe.example", token: TOKEN });

  it("ghRoute gives gh only the token and host of the route, and variables that turn off prompts and colours", async () => {
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
  ])("ghRoute gives gh no token with arguments that name another host: %j", async (argv) => {
    const sent = echo.send({ kind: "command", argv, isJson: true }, attempt);
    await expect(sent).rejects.toThrow("evil.example");
    await expect(sent).rejects.toThrow(withCode("VALIDATION", "not_applied"));
  });

  it.each([
    [["issue", "list", "--repo=ghe.example/o/r"]],
    [["issue", "view", "--", "https://ghe.example/o/r/issues/1"]],
    [["issue", "comment", "--body=https://other.example me@other.example:22", "--", "1"]],
  ])(
    "ghRoute accepts gh arguments that name the configured host, and text arguments that name any host: %j",
    async (argv) => {
      const { response } = await echo.send({ kind: "command", argv, isJson: true }, attempt);
      expect(response.data).toMatchObject({ argv });
    },
  );

  it.each([
    [{ authorization: "token x" }, "ADAPTER_UNSUPPORTED"],
    [{ accept: "a\r\nhost: b" }, "VALIDATION"],
    [{ "a b": "c" }, "VALIDATION"],
  ])("ghRoute refuses headers that gh cannot send: %j", async (headers, code) => {
    const sent = echo.send({ ...get, headers: { ...headers } }, attempt);
    await expect(sent).rejects.toThrow(withCode(code, "not_applied"));
  });

  it("the description that ghRoute gives of a request contains no secrets", () => {
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
