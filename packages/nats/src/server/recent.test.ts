import { describe, expect, it } from "vitest";
import { newToken } from "../wire/token.ts";
import { Recent } from "./recent.ts";

describe("what came of late", () => {
  it("is known again, and nothing else is", () => {
    const recent = new Recent(14);
    const tokens = Array.from({ length: 1_000 }, () => `_INBOX.${newToken()}.${newToken()}`);
    expect(tokens.filter((token) => !recent.add(token))).toEqual([]);
    const again = tokens.filter((token) => !recent.add(token));
    expect(again.length).toBeGreaterThan(900);
  });

  it("is told apart by one character, wherever it stands", () => {
    const recent = new Recent(14);
    const text = "_INBOX.abcdefgh.1";
    for (let at = 0; at < text.length; at++) {
      expect(recent.add(`${text.slice(0, at)}!${text.slice(at + 1)}`)).toBe(true);
    }
    expect([recent.add(text), recent.add(text), recent.add("")]).toEqual([true, false, true]);
  });
});
