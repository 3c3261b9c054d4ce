import { describe, expect, it } from "vitest";
import { newToken } from "../wire/token.ts";
import { RecentStrings } from "./recent-strings.ts";

describe("RecentStrings", () => {
  it("RecentStrings recognises tokens that it has seen", () => {
    const recent = new RecentStrings(14);
    const tokens = Array.from({ length: 1_000 }, () => `_INBOX.${newToken()}.${newToken()}`);
    expect(tokens.filter((token) => !recent.add(token, "a"))).toEqual([]);
    const again = tokens.filter((token) => !recent.add(token, "a"));
    expect(again.length).toBeGreaterThan(900);
  });

  it("RecentStrings distinguishes tokens that differ in one character", () => {
    const recent = new RecentStrings(14);
    const text = "_INBOX.abcdefgh.1";
    for (let at = 0; at < text.length; at++) {
      expect(recent.add(`${text.slice(0, at)}!${text.slice(at + 1)}`, "a")).toBe(true);
    }
    const all = [text, text, ""].map((each) => recent.add(each, "a"));
    expect(all).toEqual([true, false, true]);
  });

  it('RecentStrings distinguishes pairs that form the same text, such as ("ab", "c") and ("a", "bc")', () => {
    const recent = new RecentStrings(14);
    const pairs = [
      ["ab", "c"],
      ["a", "bc"],
      ["abc", ""],
      ["ab", "d"],
      ["ab", "c"],
    ] as const;
    const all = pairs.map(([text, more]) => recent.add(text, more));
    expect(all).toEqual([true, true, true, true, false]);
  });
});
