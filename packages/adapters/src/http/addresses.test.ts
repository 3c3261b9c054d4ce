import { lookup } from "node:dns";
import { describe, expect, it, vi } from "vitest";
import { isPrivateAddress, publicLookup } from "./addresses.ts";

vi.mock("node:dns", () => ({ lookup: vi.fn<typeof lookup>() }));

type Found = readonly { readonly address: string; readonly family: number }[];

/** Lets the next resolution end so, and tells what a socket hears of it. */
function resolve(error: Error | null, found: Found, all: boolean): unknown[] {
  const fake = (_host: string, _options: object, done: (...heard: unknown[]) => void) =>
    done(error, found);
  vi.mocked(lookup).mockImplementationOnce(fake as unknown as typeof lookup);
  const heard: unknown[] = [];
  publicLookup()("name.example", { all }, (...given) => heard.push(...given));
  return heard;
}

describe("resolving a name", () => {
  const inside = { address: "10.0.0.1", family: 4 };
  const outside = { address: "2606:4700::1111", family: 6 };

  it("leaves out addresses that are private", () => {
    expect(resolve(null, [inside, outside], true)).toEqual([null, [outside]]);
    expect(resolve(null, [inside, outside], false)).toEqual([null, outside.address, 6]);
  });

  it("fails when none is left, and as the resolver fails", () => {
    const [refused] = resolve(null, [inside], true);
    expect(refused).toMatchObject({ details: { code: "POLICY", outcome: "not_applied" } });
    const broken = new Error("no resolver");
    expect(resolve(broken, [], true)[0]).toBe(broken);
  });
});

describe("private addresses", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "fd00:ec2::254",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
  ])("%s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    "1.1.1.1",
    "172.32.0.1",
    "100.128.0.1",
    "192.169.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
  ])("not %s", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
