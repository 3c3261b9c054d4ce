import { describe, expect, it } from "vitest";
import { inputDigest } from "./digest.ts";

describe("inputDigest", () => {
  it("inputDigest is the same for equal values, whatever the order of their keys", async () => {
    const one = await inputDigest({ a: 1, b: { c: [1, 2], d: null } });
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(await inputDigest({ b: { d: null, c: [1, 2] }, a: 1 })).toBe(one);
    expect(await inputDigest({ a: 1, b: { c: [1, 2], d: null }, e: undefined })).toBe(one);
  });

  it("inputDigest differs for different values", async () => {
    const values = [
      {},
      [],
      null,
      "",
      0,
      false,
      "0",
      { a: null },
      { a: {} },
      [1, 2],
      [2, 1],
      [[1], 2],
    ];
    const digests = await Promise.all(values.map(inputDigest));
    expect(new Set(digests).size).toBe(values.length);
  });

  it("inputDigest refuses a value that is not JSON", async () => {
    const self: Record<string, unknown> = {};
    self["self"] = self;
    for (const value of [{ a: 1n }, self]) {
      await expect(inputDigest(value)).rejects.toMatchObject({
        message: expect.stringContaining("must be JSON") as string,
        details: { outcome: "not_applied" },
      });
    }
  });
});
