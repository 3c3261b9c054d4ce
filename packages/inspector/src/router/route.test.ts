import { describe, expect, it } from "vitest";
import { viewAddress, parseHash } from "./route.ts";

describe("hash routes", () => {
  it.each([
    ["", "calls", undefined],
    ["#", "calls", undefined],
    ["#/", "calls", undefined],
    ["#/sources", "sources", undefined],
    ["#/calls/", "calls", undefined],
    ["#/calls/a%2Fb", "calls", "a/b"],
    ["#/calls/100%", "calls", "100%"],
  ])('the inspector reads from the address %j the view "%s" and the id "%s"', (hash, view, id) => {
    expect(parseHash(hash)).toMatchObject({ view, ...(id !== undefined && { id }) });
    expect(parseHash(hash).id).toBe(id);
  });

  it("the inspector reads the filters after a question mark in its address", () => {
    const { view, query } = parseHash("#/calls?route=rest&q=a%3Fb");
    expect([view, query.get("route"), query.get("q")]).toEqual(["calls", "rest", "a?b"]);
  });
});

describe("view addresses", () => {
  it("the inspector's address leaves out filters that are not set", () => {
    expect(viewAddress("calls", undefined, { q: "", status: undefined })).toBe("#/calls");
  });

  it("the inspector reads back the view, id and filters from an address that it wrote", () => {
    const address = viewAddress("capabilities", "a/b?c#d", { from: "<x>&y" });
    const { view, id, query } = parseHash(address);
    expect([view, id, query.get("from")]).toEqual(["capabilities", "a/b?c#d", "<x>&y"]);
  });
});
