/** Addresses that the user configured, as opposed to those in a description. */
interface WrittenPlaces {
  readonly server?: string | undefined;
  readonly otherServers?: Readonly<Record<string, string>> | undefined;
  readonly url?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Host names with their ports. With `http://`, credentials may be sent unencrypted. */
  readonly hosts?: readonly string[] | undefined;
}

const HOST = /^(?:http:\/\/)?[^/?#@\\]+$/iu;
/** Host names that always mean this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u;

function parseUrls(places: readonly (string | undefined)[]): URL[] {
  return places.flatMap((place = "") => (URL.canParse(place) ? [new URL(place)] : []));
}

function isOpen(host: string): boolean {
  return /^http:\/\//iu.test(host);
}

/** A host name without a scheme means https, and also http if it is this machine. */
function readHost(host: string): URL[] {
  if (!HOST.test(host)) return [];
  if (isOpen(host)) return parseUrls([host]);
  const [safe, open] = [parseUrls([`https://${host}`]), parseUrls([`http://${host}`])];
  return open.some(({ hostname }) => LOOPBACK.test(hostname)) ? [...safe, ...open] : safe;
}

function has(places: readonly URL[], { host }: URL, protocol?: string): boolean {
  return places.some(
    (place) => place.host === host && (protocol === undefined || place.protocol === protocol),
  );
}

/**
 * Whether credentials may be sent to a server. Only the user's settings decide: a description
 * can neither name another host nor make Waybill send a token unencrypted.
 */
export function trustIn(
  { server, otherServers = {}, url, baseUrl, hosts }: WrittenPlaces,
  usual: readonly URL[],
): (server: URL) => boolean {
  const places = parseUrls([server, url, baseUrl, ...Object.values(otherServers)]);
  const named = hosts?.flatMap(readHost) ?? places;
  const inTheOpen = (hosts ?? []).filter(isOpen).flatMap(readHost);
  return (asked) => {
    if (!has(named, asked)) return false;
    if (asked.protocol === "https:" || has(inTheOpen, asked)) return true;
    if (has([...places, ...usual], asked, "https:")) return false;
    return has([...named, ...places], asked, "http:");
  };
}
