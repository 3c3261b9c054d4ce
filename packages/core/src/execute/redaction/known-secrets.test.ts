import { describe, expect, it } from "vitest";
import { createRedactor } from "./redact.ts";

const SECRETS = [
  "ghp_Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA",
  "p@ss\"w/rd+<&>'%=\\ 9",
  "!@#$%^&*()_+",
  "contraseña-sécrète",
  "key???>>>~~~key",
  "tab\tin the secret",
  "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END KEY-----",
];

function hex(text: string, before: string, after = ""): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  const width = before === "\\u" ? 4 : 2;
  return units.map((unit) => before + unit.toString(16).padStart(width, "0") + after).join("");
}

function percentEvery(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

const html = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const wrapped = (text: string, width: number): string =>
  base64(text).replaceAll(new RegExp(`.{${width}}`, "g"), "$&\n");
const lowerPercent = (text: string): string =>
  encodeURIComponent(text).replaceAll(/%../g, (escape) => escape.toLowerCase());

const bytePairs = (text: string): string[] =>
  Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, "0"));

/**
 * Encodes like mail: equals signs and bytes that are not printable are escaped, and lines are
 * short.
 */
function quotedPrintable(text: string, isEveryByte = false, width = 72): string {
  const parts = Array.from(Buffer.from(text), (byte) =>
    isEveryByte || byte === 0x3d || byte < 0x21 || byte > 0x7e
      ? `=${byte.toString(16).toUpperCase().padStart(2, "0")}`
      : String.fromCharCode(byte),
  );
  return parts.map((part, at) => (at % width === width - 1 ? `${part}=\r\n` : part)).join("");
}

function fullWidth(text: string): string {
  return text.replaceAll(/[!-~]/gu, (each) => String.fromCharCode(0xfee0 + each.charCodeAt(0)));
}

/** Encodings for a value in quotes. Decoding each of them gives the value back. */
const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  "plain text": (secret) => secret,
  base64: base64,
  "base64 without padding": (secret) => base64(secret).replaceAll("=", ""),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  "base64 in a URL": (secret) => encodeURIComponent(base64(secret)),
  "hexadecimal digits": (secret) => Buffer.from(secret).toString("hex"),
  "capital hexadecimal digits": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  "percent-encoding": encodeURIComponent,
  "percent-encoding in lower case": lowerPercent,
  "percent-encoding of every byte": percentEvery,
  "percent-encoding twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "a URL-encoded form": (secret) => new URLSearchParams({ k: secret }).toString(),
  JSON: json,
  "JSON in JSON": (secret) => json(json(secret)),
  "JSON in JSON in JSON": (secret) => json(json(json(secret))),
  "\\u escapes": (secret) => hex(secret, "\\u"),
  "\\x escapes": (secret) => hex(Buffer.from(secret).toString("latin1"), "\\x"),
  HTML: html,
  "HTML in HTML": (secret) => html(html(secret)),
  "HTML in JSON": (secret) => json(html(secret)),
  "numbered HTML entities": (secret) => hex(secret, "&#x", ";"),
  "quoted-printable": (secret) => quotedPrintable(secret),
  "quoted-printable of every byte": (secret) => quotedPrintable(secret, true),
  "quoted-printable in short lines": (secret) => quotedPrintable(secret, false, 24),
  "quoted-printable in short lines, in JSON": (secret) => json(quotedPrintable(secret, false, 24)),
  "spaced hexadecimal digits": (secret) => bytePairs(secret).join(" "),
  "hexadecimal digits with colons": (secret) => bytePairs(secret).join(":").toUpperCase(),
  "hexadecimal numbers": (secret) => bytePairs(secret).join(", 0x"),
  "hexadecimal digits in groups of four": (secret) =>
    bytePairs(secret)
      .join("")
      .replaceAll(/.{4}(?=.)/gu, "$& "),
  "base64 of UTF-16": (secret) => Buffer.from(secret, "utf16le").toString("base64"),
  "base64 of UTF-16 with the other byte order": (secret) =>
    Buffer.from(secret, "utf16le").swap16().toString("base64"),
  "capital letters": (secret) => secret.toUpperCase(),
  "small letters": (secret) => secret.toLowerCase(),
  "small letters in a URL": (secret) => encodeURIComponent(secret.toLowerCase()),
  "base64 in small letters": (secret) => base64(secret).toLowerCase(),
  "full-width letters": fullWidth,
  "full-width letters, escaped in JSON": (secret) => hex(fullWidth(secret), "\\u"),
};

/** Text with the secret in the middle, encoded as a whole. */
const AROUND: Readonly<Record<string, (secret: string) => string>> = {
  "base64 after one byte": (secret) => base64(`:${secret} and more`),
  "base64 after two bytes": (secret) => base64(`u:${secret} and more`),
  "base64 in lines of 60": (secret) => wrapped(`${"x".repeat(40)}${secret} and more`, 60),
  "base64 in lines of 76, in JSON": (secret) => json(wrapped(`${"x".repeat(50)}${secret}`, 76)),
};

const each = (encodings: object) =>
  SECRETS.flatMap((secret) => Object.keys(encodings).map((name) => [name, secret] as const));

describe("redaction of known secrets", () => {
  it.each(each(ENCODINGS))(
    "a known secret is removed if it is encoded as %s: %j",
    (name, secret) => {
      const redactor = createRedactor(() => [secret]);
      const left = redactor.data(`in ${ENCODINGS[name]!(secret)} out`);
      expect(left.replace("k=", "")).toBe("in [redacted] out");
    },
  );

  it.each(each(AROUND))(
    "a known secret is removed from a text that is encoded as %s: %j",
    (name, secret) => {
      const redactor = createRedactor(() => [secret]);
      const whole = AROUND[name]!(secret);
      const left = redactor.data(whole);
      expect(left.split("[redacted]")).toHaveLength(2);
      // Besides the secret, only two neighbouring characters and a line break may be removed,
      // because they can hold bits of it.
      const taken = whole.length - left.length + "[redacted]".length;
      expect(taken).toBeGreaterThanOrEqual(Math.floor((Buffer.byteLength(secret) * 8) / 6));
    },
  );

  it.each(SECRETS)(
    "a known secret is removed from member names and from Latin-1 text: %j",
    (secret) => {
      const redactor = createRedactor(() => [secret]);
      expect(redactor.data({ [secret]: 1 })).toEqual({ "[redacted]": 1 });
      expect(redactor.data(Buffer.from(`a ${secret} b`).toString("latin1"))).toBe("a [redacted] b");
    },
  );

  it("a known secret is removed at every position of a text", () => {
    const [secret = ""] = SECRETS;
    const redactor = createRedactor(() => [secret]);
    const twice = `${secret}, ${encodeURIComponent(`a+b ${secret}`)}, ${base64(secret)}`;
    expect(redactor.text(twice)).toBe("[redacted], a%2Bb%20[redacted], [redacted]");
  });

  it("a known secret is removed once the redactor has learned it, and the text around it is unchanged", () => {
    const redactor = createRedactor();
    const text = "100% of a\\b &amp; %41%42 and sesame-open-99";
    expect(redactor.data(text)).toBe(text);
    redactor.learn(["sesame-open-99"]);
    expect(redactor.data(text)).toBe("100% of a\\b &amp; %41%42 and [redacted]");
  });

  it.each(["\n", "\r", "\t", "\b", "\f"])(
    "a known secret that contains %j is removed from JSON text",
    (character) => {
      // Without this character the secret is too short to be searched for.
      const secret = `pass${character}wrd`;
      const redactor = createRedactor(() => [secret]);
      expect(redactor.data(`in ${json(secret)} out`)).toBe("in [redacted] out");
    },
  );

  it("a known secret of fewer than eight characters is not removed", () => {
    const redactor = createRedactor(() => ["abc1234"]);
    expect(redactor.data("abc1234")).toBe("abc1234");
  });

  it("a known secret that is an ordinary word is removed only in the same letter case", () => {
    const redactor = createRedactor(() => ["Password", "postgres"]);
    expect(redactor.data("password, PASSWORD, Postgres")).toBe("password, PASSWORD, Postgres");
    expect(redactor.data("Password of postgres")).toBe("[redacted] of [redacted]");
  });

  it.each([
    "2026-11-16 10:11:12 00:1b:44:11:3a:b7 and 12345678-1234-1234-1234-123456789abc",
    "https://host/?a=41&b=42#c=43",
    "=41=42=43=44=45 =\r\n and 61 62 63 64 65 66 67 68 69, 0x61, 0x62",
    "ＡＢＣＤＥ, ａｂｃｄ, Ｐａｓｓ and ﬁ",
    "AGgAdQBuAHQAZQByADIA and hunter3-hunter3",
  ])("a redactor that knows secrets leaves ordinary text unchanged: %s", (text) => {
    expect(createRedactor(() => SECRETS).data(text)).toBe(text);
  });

  it("a redactor returns data without a known secret as the same object", () => {
    const redactor = createRedactor(() => SECRETS);
    const data = { rows: [{ title: "Fix %20 & \\n", url: "https://host/a%20b?c=%C3%A9%C3%A8" }] };
    expect(redactor.data(data)).toBe(data);
  });

  it("a known secret is removed from a list that holds nothing else", () => {
    const redactor = createRedactor(() => ["sesame-open-99"]);
    expect(redactor.data([["sesame-open-99"]])).toEqual([["[redacted]"]]);
  });

  it("known secrets without letters or digits are removed", () => {
    const redactor = createRedactor(() => ["!@#$^*()_+", "-=-=-=-=-="]);
    expect(redactor.data("a -=-=-=-=-= b")).toBe("a [redacted] b");
    expect(redactor.data("a !@#$^*()_+ b")).toBe("a [redacted] b");
  });

  it("a known secret that is learned a second time is not forgotten as the oldest secret", () => {
    const redactor = createRedactor();
    redactor.learn(["first-secret-000"]);
    redactor.learn(Array.from({ length: 255 }, (_, index) => `another-secret-${index}`));
    redactor.learn(["first-secret-000"]);
    redactor.learn(["one-more-secret"]);
    expect(redactor.data("first-secret-000")).toBe("[redacted]");
    expect(redactor.data("another-secret-0")).toBe("another-secret-0");
  });

  it("a known secret is forgotten after 256 other secrets were learned, and not before", () => {
    const redactor = createRedactor();
    redactor.learn(["first-secret-000"]);
    redactor.learn(Array.from({ length: 255 }, (_, index) => `another-secret-${index}`));
    expect(redactor.data("first-secret-000")).toBe("[redacted]");
    redactor.learn(["one-more-secret"]);
    expect(redactor.data("first-secret-000")).toBe("first-secret-000");
    expect(redactor.data("another-secret-254")).toBe("[redacted]");
  });
});
