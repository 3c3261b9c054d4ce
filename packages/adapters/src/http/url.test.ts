import { describe, expect, it } from "vitest";
import { buildUrl, encodeQuery, expandPath } from "./index.ts";

describe("expandPath", () => {
  it.each([
    ["/repos/{owner}/{name}", { owner: "octo", name: "cat" }, "/repos/octo/cat"],
    ["/issues/{number}", { number: 7 }, "/issues/7"],
    ["/flags/{on}", { on: false }, "/flags/false"],
    ["/{a}...{b}", { a: "main", b: "dev" }, "/main...dev"],
    ["/x/{a}", { a: "a/b?c#d&e" }, "/x/a%2Fb%3Fc%23d%26e"],
    ["/x/{a}", { a: "日本 é" }, "/x/%E6%97%A5%E6%9C%AC%20%C3%A9"],
    ["/x/{a}", { a: "%2e%2e" }, "/x/%252e%252e"],
    ["/x/{a}", { a: "..." }, "/x/..."],
    ["/x", {}, "/x"],
  ])("expandPath expands %s with %j to %s", (template, values, expected) => {
    expect(expandPath(template, values)).toBe(expected);
  });

  it.each([
    ["a missing value", {}, "a is missing"],
    ["an inherited value", Object.create({ a: "x" }) as object, "a is missing"],
    ["null", { a: null }, "a is missing"],
    ["an empty value", { a: "" }, "a must not be empty"],
    ["a single dot", { a: "." }, 'a must not be "."'],
    ["two dots", { a: ".." }, 'a must not be ".."'],
    ["half of a surrogate pair", { a: "\uD800" }, "a is not valid Unicode"],
    ["an object", { a: {} }, "a must be a string, a number or a boolean"],
    ["NaN", { a: NaN }, "a must be a string, a number or a boolean"],
  ])("expandPath refuses %s", (_name, values, message) => {
    const expand = () => expandPath("/x/{a}/y", { ...values });
    expect(expand).toThrow(message);
    expect(expand).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ code: "VALIDATION", outcome: "not_applied" }) as unknown,
      }),
    );
  });
});

describe("encodeQuery", () => {
  it("encodeQuery keeps the order of parameters, and repeats a name that is given twice", () => {
    const pairs = [
      ["b", "1"],
      ["a", "x y"],
      ["b", "&="],
    ] as const;
    expect(encodeQuery(pairs)).toBe("b=1&a=x%20y&b=%26%3D");
  });

  it("encodeQuery returns an empty string for an empty query", () => {
    expect(encodeQuery([])).toBe("");
  });
});

describe("buildUrl", () => {
  it.each([
    ["path", () => buildUrl("https://h", `/${"x".repeat(70_000)}`)],
    ["query", () => buildUrl("https://h", "/a", [["q", "é".repeat(20_000)]])],
  ])("buildUrl refuses a %s that is too long for servers to accept", (_part, build) => {
    expect(build).toThrow(
      /^The URL would have \d+ characters, but at most 65536 can be sent\. Pass shorter inputs$/,
    );
  });

  it.each([
    ["https://h", "/a", "https://h/a"],
    ["https://h/api/v3", "/a/b", "https://h/api/v3/a/b"],
    ["https://h/api/v3/", "a", "https://h/api/v3/a"],
    ["https://h?x=1#y", "/a", "https://h/a"],
    ["http://h:81", "//evil.example/x", "http://h:81/evil.example/x"],
    ["https://h", "/a%2Fb", "https://h/a%2Fb"],
  ])("buildUrl joins %s and %s to %s", (base, path, expected) => {
    expect(buildUrl(base, path).href).toBe(expected);
  });

  it("buildUrl appends the query to the path", () => {
    expect(buildUrl("https://h", "/a", [["q", "x y"]]).href).toBe("https://h/a?q=x%20y");
  });

  it.each(["/../a", "/a/%2E%2e/b", "/a?b", "/a#b", "/a\\b", "/a b"])(
    "buildUrl refuses the path %s",
    (path) => {
      expect(() => buildUrl("https://h/api", path)).toThrow("not URL-encoded");
    },
  );

  it("buildUrl refuses a base that is not an absolute URL", () => {
    expect(() => buildUrl("api", "/a")).toThrow("must be absolute");
  });
});
