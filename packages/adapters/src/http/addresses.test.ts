import { lookup } from "node:dns";
import { describe, expect, it, vi } from "vitest";
import { isPrivateAddress } from "./addresses.ts";
import { Reach } from "./reach.ts";
import type { AllowPrivate } from "./reach.ts";

vi.mock("node:dns", () => ({ lookup: vi.fn<typeof lookup>() }));

type Found = readonly { readonly address: string; readonly family: number }[];

/** Sets the result of the next name resolution, and returns what a socket gets from it. */
function resolve(
  error: Error | null,
  found: Found,
  all: boolean,
  reach: Reach = new Reach(false),
): unknown[] {
  const fake = (_host: string, _options: object, done: (...heard: unknown[]) => void) =>
    done(error, found);
  vi.mocked(lookup).mockImplementationOnce(fake as unknown as typeof lookup);
  const heard: unknown[] = [];
  reach.lookup()("name.example", { all }, (...given) => heard.push(...given));
  return heard;
}

/** Returns whether a socket may connect to a name that resolves to an address, or why not. */
function resolvedTo(address: string, allow: AllowPrivate): unknown {
  const [error] = resolve(null, [{ address, family: 4 }], true, new Reach(allow));
  return error === null ? "allowed" : (error as Error).message;
}

function reached(url: string, allow: AllowPrivate): string {
  try {
    new Reach(allow).assert(new URL(url));
    return "allowed";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("addresses of a host name", () => {
  const inside = { address: "10.0.0.1", family: 4 };
  const outside = { address: "2606:4700::1111", family: 6 };

  it("the address lookup of a host name leaves out private addresses", () => {
    expect(resolve(null, [inside, outside], true)).toEqual([null, [outside]]);
    expect(resolve(null, [inside, outside], false)).toEqual([null, outside.address, 6]);
  });

  it("the address lookup of a host name fails if all addresses are private, or if the resolver fails", () => {
    const [refused] = resolve(null, [inside], true);
    expect(refused).toMatchObject({ details: { code: "POLICY", outcome: "not_applied" } });
    // Asks for all addresses. Otherwise a forbidden one could hide an allowed one.
    expect(vi.mocked(lookup).mock.lastCall?.[1]).toMatchObject({ all: true });
    const broken = new Error("no resolver");
    expect(resolve(broken, [], true)[0]).toBe(broken);
  });

  it("a request may reach a private address only if allowPrivate has its host name or address range", () => {
    expect(resolvedTo("10.0.0.1", ["name.example"])).toBe("allowed");
    expect(resolvedTo("10.0.0.1", ["10.0.0.0/8"])).toBe("allowed");
    expect(resolvedTo("10.0.0.1", ["10.0.0.1"])).toBe("allowed");
    expect(resolvedTo("10.0.0.1", true)).toBe("allowed");
    for (const allow of [["other.example"], ["10.0.0.2"], ["192.168.0.0/16"], [], false]) {
      expect(resolvedTo("10.0.0.1", allow)).toContain("which this source may not reach");
    }
  });

  it("a request never reaches a host name that resolves to a link-local address", () => {
    for (const allow of [true, ["name.example"], ["169.254.0.0/16"], ["0.0.0.0/0"]]) {
      expect(resolvedTo("169.254.169.254", allow)).toContain("which no source may reach");
      expect(resolvedTo("::ffff:169.254.169.254", allow)).toContain("which no source may reach");
    }
  });
});

describe("other forms of a link-local address", () => {
  it.each([
    ["a decimal number", "http://2852039166/"],
    ["hexadecimal", "http://0xa9fea9fe/"],
    ["octal parts", "http://0251.0376.0251.0376/"],
    ["full-width digits", "http://１６９.２５４.１６９.２５４/"],
    ["a last dot", "http://169.254.169.254./"],
    ["mapped to IPv6", "http://[::ffff:169.254.169.254]/"],
    ["compatible with IPv6", "http://[::169.254.169.254]/"],
    ["SIIT", "http://[::ffff:0:a9fe:a9fe]/"],
    ["NAT64", "http://[64:ff9b::a9fe:a9fe]/"],
    ["NAT64 of a network's own", "http://[64:ff9b:1::a9fe:a9fe]/"],
    ["NAT64 of another cloud's address", "http://[64:ff9b::6464:64c8]/"],
    ["6to4", "http://[2002:a9fe:a9fe::1]/"],
    ["6to4 of another cloud's address", "http://[2002:a83f:8110::]/"],
    ["Teredo's server", "http://[2001:0:a9fe:a9fe::]/"],
    ["Teredo's client", "http://[2001::5601:5601]/"],
    ["ISATAP", "http://[2001:db8::5efe:a9fe:a9fe]/"],
  ])("a request never reaches a link-local address in another notation: %s", (_form, url) => {
    expect(reached(url, true)).toContain("which no source may reach");
  });

  it("a request may reach public IPv6 addresses", () => {
    for (const host of ["2606:4700::1111", "2a00:1450:4001::200e", "64:ff9b:2::a9fe:a9fe"]) {
      expect(reached(`http://[${host}]/`, false)).toBe("allowed");
    }
  });
});

describe("addresses in a URL", () => {
  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/",
    "http://[fe90::1]:80/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[fd00:ec2::254]/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://168.63.129.16/",
    "http://100.100.100.200/",
    "http://metadata.google.internal/",
    "http://METADATA.google.internal./",
    "http://instance-data/",
    "http://instance-data.ec2.internal/",
  ])("a request to %s is refused with every allowPrivate setting", (url) => {
    const { hostname } = new URL(url);
    const named = hostname.replace(/^\[|\]$/gu, "");
    for (const allow of [false, true, [named.replace(/\.$/u, "")], ["0.0.0.0/0", "::/0"]]) {
      expect(reached(url, allow)).toContain("which no source may reach");
    }
  });

  it.each([
    ["http://127.0.0.1:8080/", ["127.0.0.1"]],
    ["http://2130706433/", ["127.0.0.0/8"]],
    ["http://0177.1/", ["127.0.0.1/32"]],
    ["http://[::1]/", ["[::1]"]],
    ["http://[::ffff:10.0.0.1]/", ["10.0.0.0/8"]],
    ["http://[fd12::1]/", ["fd00::/8"]],
  ])("a request to %s is refused unless allowPrivate is %j", (url, allow) => {
    expect(reached(url, allow)).toBe("allowed");
    expect(reached(url, true)).toBe("allowed");
    for (const other of [false, [], ["127.0.0.2", "::2", "11.0.0.0/8", "localhost"]]) {
      expect(reached(url, other)).toContain("which this source may not reach");
    }
  });

  it.each([
    "10.0.0.0/33",
    "::1/129",
    "10.0.0.0/-1",
    "10.0.0.0/1.5",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "http://a",
    "a b",
    "-a",
    "a..b",
    "",
  ])("allowPrivate refuses %j as an address", (entry) => {
    expect(() => new Reach([entry])).toThrow("must be a host name, an address, or a range");
  });
});

describe("isPrivateAddress", () => {
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
    "224.0.0.1",
    "239.255.255.255",
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
  ])("isPrivateAddress is true for %s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    "1.1.1.1",
    "172.32.0.1",
    "100.128.0.1",
    "192.169.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    // Addresses near a prefix that embeds another address, with a private address at that position.
    "2606:ff9b::7f00:1",
    "2001:4860:7f00:1::8888",
    "2001:4860::80ff:fffe",
    "64:ff9b:2::7f00:1",
    "2606:4700::5eff:7f00:1",
  ])("isPrivateAddress is false for %s", (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
