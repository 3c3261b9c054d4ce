import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const token = `ghp_${"a1B2".repeat(9)}`;

describe("redaction", () => {
  it.each([
    ["a GitHub token", `failed with ${token} today`, "failed with [redacted] today"],
    ["a bearer header", "Authorization: Bearer abcdefgh12345", "Authorization: Bearer [redacted]"],
    ["gh's token header", "authorization: token abcdefgh12345", "authorization: token [redacted]"],
    ["a query parameter", "GET /x?token=abc123&page=2", "GET /x?token=[redacted]&page=2"],
    ["a password in a URL", "https://me:hunter22@host/x", "https://me:[redacted]@host/x"],
    ["an AWS key id", "key AKIAABCDEFGHIJKLMNOP.", "key [redacted]."],
    [
      "a private key",
      "x -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- y",
      "x [redacted] y",
    ],
  ])("takes %s out of a text", (_name, text, clean) => {
    expect(createRedactor().text(text)).toBe(clean);
  });

  it("leaves ordinary text alone", () => {
    const text = "The token bucket holds 12 tokens; see https://example.com/a?page=2#key";
    expect(createRedactor().text(text)).toBe(text);
  });

  it("takes out members by their names, at any depth", () => {
    const value = { headers: [{ authorization: "x y", apiKey: "k", accept: "json" }], token: "t" };
    expect(createRedactor().value(value)).toEqual({
      headers: [{ authorization: "[redacted]", apiKey: "[redacted]", accept: "json" }],
      token: "[redacted]",
    });
  });

  it("does not take counts and flags for secrets", () => {
    const value = { tokens_out: 12, tokenPresent: true, tokenHost: "github.com", token: null };
    expect(createRedactor().value(value)).toEqual(value);
  });

  it("takes out secrets it was told of, whatever they look like", () => {
    const redactor = createRedactor(() => ["plain words"]);
    expect(redactor.value({ note: "these plain words stay" })).toEqual({
      note: "these [redacted] stay",
    });
  });

  it("keeps a member called __proto__ a member", () => {
    const clean = createRedactor().value(JSON.parse('{"__proto__": {"token": "abc"}}'));
    expect(Object.getOwnPropertyNames(clean)).toEqual(["__proto__"]);
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"token":"[redacted]"}}');
  });

  it("does not go on for ever", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    expect(JSON.stringify(createRedactor().value(loop))).toContain("[redacted]");
  });
});
