import { describe, expect, it } from "vitest";
import { viewAddress, parseHash } from "./route.ts";

describe("a place", () => {
  it.each([
    ["", "calls", undefined],
    ["#", "calls", undefined],
    ["#/", "calls", undefined],
    ["#/sources", "sources", undefined],
    ["#/calls/", "calls", undefined],
    ["#/calls/a%2Fb", "calls", "a/b"],
    ["#/calls/100%", "calls", "100%"],
  ])("a place is read from %j", (hash, view, id) => {
    expect(parseHash(hash)).toMatchObject({ view, ...(id !== undefined && { id }) });
    expect(parseHash(hash).id).toBe(id);
  });

  it("a place has its filters after a question mark", () => {
    const { view, query } = parseHash("#/calls?route=rest&q=a%3Fb");
    expect([view, query.get("route"), query.get("q")]).toEqual(["calls", "rest", "a?b"]);
  });
});

describe("an address", () => {
  it("leaves out what is not given", () => {
    expect(viewAddress("calls", undefined, { q: "", status: undefined })).toBe("#/calls");
  });

  it("an address is read as it was written", () => {
    const address = viewAddress("capabilities", "a/b?c#d", { from: "<x>&y" });
    const { view, id, query } = parseHash(address);
    expect([view, id, query.get("from")]).toEqual(["capabilities", "a/b?c#d", "<x>&y"]);
  });
});
