import { describe, expect, it } from "vitest";
import { compareVersions } from "./versions.ts";

describe("order of versions", () => {
  it.each([
    ["2.23.0", "2.23.0", 0],
    ["2.9.0", "2.23.0", -1],
    ["2.46", "2.46.0", 0],
    ["v3.0.0", "2.99.9", 1],
    ["2.46.0-rc.1", "2.46.0", -1],
    ["2.46.0-rc.2", "2.46.0-rc.10", -1],
    ["2.23.0+dfsg1-1", "2.23.0", 0],
    ["", "0.0.1", -1],
  ])("compareVersions of %j and %j returns %i", (a, b, expected) => {
    expect(compareVersions(a, b)).toBe(expected);
    expect(compareVersions(b, a)).toBe(expected === 0 ? 0 : -expected);
  });
});
