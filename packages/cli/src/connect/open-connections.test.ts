import { describe, expect, it } from "vitest";
import { connectionAddress } from "./open-connections.ts";

const API = { kind: "openapi", document: "https://shop.example/api.json" } as const;

describe("the address that tokens belong to", () => {
  it.each([
    { server: "https://other.example" },
    { base_url: "https://other.example" },
    { hosts: ["other.example"] },
  ])(
    "the address of a token differs for an entry that sends the token to another host: %j",
    (setting) => {
      expect(connectionAddress({ ...API, ...setting })).not.toBe(connectionAddress(API));
    },
  );

  it("the address of a token is the same for an entry that differs only in other settings", () => {
    expect(connectionAddress({ ...API, per_caller: true })).toBe(connectionAddress(API));
  });
});
