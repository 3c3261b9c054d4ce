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
  ])("reads the view and id from the hash %j", (hash, view, id) => {
    expect(parseHash(hash)).toMatchObject({ view, ...(id !== undefined && { id }) });
    expect(parseHash(hash).id).toBe(id);
  });

  it("reads the filters after a question mark", () => {
    const { view, query } = parseHash("#/calls?route=rest&q=a%3Fb");
    expect([view, query.get("route"), query.get("q")]).toEqual(["calls", "rest", "a?b"]);
  });
});

describe("view addresses", () => {
  it("leaves out filters that are not set", () => {
    expect(viewAddress("calls", undefined, { q: "", status: undefined })).toBe("#/calls");
  });

  it("reads back the view, id and filters that an address was written with", () => {
    const address = viewAddress("capabilities", "a/b?c#d", { from: "<x>&y" });
    const { view, id, query } = parseHash(address);
    expect([view, id, query.get("from")]).toEqual(["capabilities", "a/b?c#d", "<x>&y"]);
  });
});
