import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const token = `ghp_${"a1B2".repeat(9)}`;

describe("createRedactor", () => {
  it.each([
    ["a text with a GitHub token", `failed with ${token} today`, "failed with [redacted] today"],
    ["a bearer header", "Authorization: Bearer abcdefgh12345", "Authorization: Bearer [redacted]"],
    ["a header without a scheme", "authorization: /9j4AAQ+Skz=", "authorization: [redacted]"],
    ["gh's token header", "authorization: token abcdefgh12345", "authorization: token [redacted]"],
    [
      "a URL with a token as query parameter",
      "GET /x?token=abc123&page=2",
      "GET /x?token=[redacted]&page=2",
    ],
    ["a URL with a password", "https://me:hunter22@host/x", "https://me:[redacted]@host/x"],
    ["a text with an AWS key id", "key AKIAABCDEFGHIJKLMNOP.", "key [redacted]."],
    ["a command with a token as flag", "gh --token=abc12345 --x", "gh --token=[redacted] --x"],
    [
      "the assignment of an environment variable",
      "AWS_SECRET_ACCESS_KEY=wJalrXUt/K7 x",
      "AWS_SECRET_ACCESS_KEY=[redacted] x",
    ],
    ["a JSON member named password", 'got {"password":"hunter2"}', 'got {"password":"[redacted]"}'],
    ["a custom header", "X-Api-Key: abc-123-def", "X-Api-Key: [redacted]"],
    [
      "a header with another scheme",
      "Authorization: ApiKey abc123def",
      "Authorization: ApiKey [redacted]",
    ],
    ["a cookie", "Set-Cookie: sid=abc; Path=/", "Set-Cookie: [redacted]"],
    ["a text with a Stripe key", `key sk_live_${"a1".repeat(12)}.`, "key [redacted]."],
    ["an npm token alone", `npm_${"a1B2".repeat(9)}`, "[redacted]"],
    ["a Google key alone", `AIza${"a1B2_".repeat(7)}`, "[redacted]"],
    [
      "a URL with a token before the host",
      `https://${"ab12".repeat(10)}@github.com/x`,
      "https://[redacted]@github.com/x",
    ],
    [
      "a text with a JSON Web Token after a hyphen",
      `x-eyJ${"a1".repeat(9)}.eyJ${"b2".repeat(9)}.${"c3".repeat(9)}!`,
      "x-[redacted]!",
    ],
    ["a text with a token in brackets", "(token=abc12345)", "(token=[redacted])"],
    [
      "a text with a private key",
      "x -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- y",
      "x [redacted] y",
    ],
  ])("a redactor removes the secret from %s", (_name, text, clean) => {
    expect(createRedactor().text(text)).toBe(clean);
  });

  it.each([
    "The token bucket holds 12 tokens; see https://example.com/a?page=2#key",
    "The secret: patience. A password is required; the token was refused",
    "key=value, author: octo, tokens_out=12, `token: string`",
    "cannot read property auth of undefined",
    "authorization: /x",
    "Invalid input for hook.create, authorization: /config/url is required",
  ])("a redactor leaves ordinary text unchanged: %s", (text) => {
    expect(createRedactor().text(text)).toBe(text);
  });

  it("a redactor reads a text with many beginnings of tokens in linear time", () => {
    const text = "eyJaaaaaaaaaaaa-".repeat(100_000);
    expect(createRedactor().text(text)).toBe(text);
  });

  it("a redactor replaces the values of members with secret names by [redacted] at any depth", () => {
    const value = { headers: [{ authorization: "x y", apiKey: "k", accept: "json" }], token: "t" };
    expect(createRedactor().value(value)).toEqual({
      headers: [{ authorization: "[redacted]", apiKey: "[redacted]", accept: "json" }],
      token: "[redacted]",
    });
  });

  it("a redactor removes any value under a secret name", () => {
    const value = { tokens: ["a", "b"], secret: { a: 1 }, aws_secret_access_key: "x", auth: "y" };
    const hidden = "[redacted]";
    expect(createRedactor().value(value)).toEqual({
      tokens: hidden,
      secret: hidden,
      aws_secret_access_key: hidden,
      auth: hidden,
    });
  });

  it("a redactor removes from data only known secrets of eight or more characters", () => {
    const redactor = createRedactor(() => ["corp-internal-77", "abc"]);
    const data = { seen: "Bearer corp-internal-77", token: "abc", file: `x = "${token}"` };
    expect(redactor.data(data)).toEqual({ ...data, seen: "Bearer [redacted]" });
    expect(createRedactor().data(data)).toBe(data);
  });

  it('a redactor keeps counts and flags whose names contain "token"', () => {
    const value = { tokens_out: 12, tokenPresent: true, tokenHost: "github.com", token: null };
    expect(createRedactor().value(value)).toEqual(value);
  });

  it("a redactor removes configured secrets that look like ordinary words", () => {
    const redactor = createRedactor(() => ["plain words"]);
    expect(redactor.value({ note: "these plain words stay" })).toEqual({
      note: "these [redacted] stay",
    });
  });

  it("a redactor keeps __proto__ as an ordinary member", () => {
    const clean = createRedactor().value(JSON.parse('{"__proto__": {"token": "abc"}}'));
    expect(Object.getOwnPropertyNames(clean)).toEqual(["__proto__"]);
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"token":"[redacted]"}}');
  });

  it("a redactor does not loop on an object that contains itself", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    expect(JSON.stringify(createRedactor().value(loop))).toContain("[redacted]");
  });

  it.each([
    ["/srv/way/cards/a.yaml is wrong", "cards/a.yaml is wrong"],
    ["Error in file:///srv/way/state/x.mjs:3", "Error in file://x.mjs:3"],
    ["the folder /srv/way, and '/srv/way'", "the folder ., and '.'"],
    [String.raw`C:\Users\ada\x.json`, "x.json"],
    [
      "https://host/srv/way/x, /srv/ways/x and /my/srv/way/x",
      "https://host/srv/way/x, /srv/ways/x and /my/srv/way/x",
    ],
    ["/app/name is required", "/app/name is required"],
  ])("a redactor makes paths in hidden folders relative: %s", (text, shown) => {
    const hiddenFolders = ["/srv/way", "/srv/way/state", String.raw`C:\Users\ada`, "/app", "/"];
    const redactor = createRedactor(undefined, hiddenFolders);
    expect(redactor.text(text)).toBe(shown);
    expect(redactor.data(text)).toBe(text);
  });
});
