import { describe, expect, it } from "vitest";
import { connectionAddress } from "./open-connections.ts";

const API = { kind: "openapi", document: "https://shop.example/api.json" } as const;

describe("the address that tokens belong to", () => {
  it.each([
    { server: "https://other.example" },
    { base_url: "https://other.example" },
    { hosts: ["other.example"] },
  ])(
    "a stored token is kept for another address if the source's entry sends the token to another host: %j",
    (setting) => {
      expect(connectionAddress({ ...API, ...setting })).not.toBe(connectionAddress(API));
    },
  );

  it("a stored token is kept for an unchanged address if the source's entry changes only in other settings", () => {
    expect(connectionAddress({ ...API, per_caller: true })).toBe(connectionAddress(API));
  });
});
