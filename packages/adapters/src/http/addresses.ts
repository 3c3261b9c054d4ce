import { BlockList, isIP } from "node:net";

/** Addresses of cloud credentials and of the local network link. */
const LINK_LOCAL = [
  "169.254.0.0/16",
  "168.63.129.16/32",
  "100.100.100.200/32",
  "192.0.0.192/32",
  "fe80::/10",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
];

/**
 * Private ranges. The list includes IPv6 ranges that embed an IPv4 address (NAT64, 6to4, Teredo),
 * because such an address could reach any private one.
 */
const PRIVATE = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
  "fc00::/7",
  "fe80::/9",
  "ff00::/8",
  ...LINK_LOCAL,
];

const MOST_BITS = { 4: 32, 6: 128 };

/** Adds an address or a range such as `10.0.0.0/8`. Returns false for anything else. */
export function addRange(list: BlockList, range: string): boolean {
  const [network = "", bits, ...rest] = range.split("/");
  const version = isIP(network);
  if ((version !== 4 && version !== 6) || rest.length > 0) return false;
  const family = version === 6 ? "ipv6" : "ipv4";
  const prefix = bits === undefined ? MOST_BITS[version] : Number(bits);
  if (bits === "" || !Number.isInteger(prefix) || prefix < 0 || prefix > MOST_BITS[version]) {
    return false;
  }
  list.addSubnet(network, prefix, family);
  return true;
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) addRange(list, range);
  return list;
}

function readGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

/** The eight 16-bit groups of an IPv6 address. */
function ipv6Groups(address: string): number[] {
  // Parses the address as a URL, which writes every IPv6 address in one form, with all groups in
  // hexadecimal.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [start = "", end] = written.split("::");
  if (end === undefined) return readGroups(start);
  const [first, last] = [readGroups(start), readGroups(end)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function toIpv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/**
 * The IPv4 addresses that an IPv6 address may be translated to. Mapped, compatible, SIIT, NAT64,
 * 6to4, Teredo and ISATAP addresses all contain one.
 */
function carriedAddresses(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = ipv6Groups(address);
  const isZero = a === 0 && b === 0 && c === 0 && d === 0;
  const isAtEnd =
    (isZero && ((e === 0 && (f === 0 || f === 0xffff)) || (e === 0xffff && f === 0))) ||
    (a === 0x64 && b === 0xff9b && c <= 1) ||
    ((e === 0 || e === 0x200) && f === 0x5efe);
  return [
    ...(isAtEnd ? [toIpv4(g, h)] : []),
    ...(a === 0x2002 ? [toIpv4(b, c)] : []),
    ...(a === 0x2001 && b === 0 ? [toIpv4(c, d), toIpv4(g ^ 0xffff, h ^ 0xffff)] : []),
  ];
}

/** Whether a list contains an address. Zones such as `%eth0` are ignored. */
export function hasAddress(list: BlockList, address: string): boolean {
  const [plain = ""] = address.split("%");
  return list.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

/** Whether a list contains an address, or an IPv4 address inside it. */
function leadsInto(list: BlockList, address: string): boolean {
  const [plain = ""] = address.split("%");
  const carried = isIP(plain) === 6 ? carriedAddresses(plain) : [];
  return [plain, ...carried].some((one) => hasAddress(list, one));
}

let privateList: BlockList | undefined;
let linkLocalList: BlockList | undefined;

/** Whether an IP address belongs to this machine, its network, or its cloud. */
export function isPrivateAddress(address: string): boolean {
  return leadsInto((privateList ??= toBlockList(PRIVATE)), address);
}

/** Whether an IP address belongs to a cloud's metadata service or to the local network link. */
export function isLinkLocal(address: string): boolean {
  return leadsInto((linkLocalList ??= toBlockList(LINK_LOCAL)), address);
}
