/** The repository of a checkout. */
export interface CheckoutRepository {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/** Reads `https://host/owner/name.git`, `ssh://git@host/owner/name` and `git@host:owner/name.git`. */
export function readRemote(url: string): CheckoutRepository | undefined {
  const short = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(url);
  const { host, path } =
    short === null ? parseRemote(url) : { host: short[1] ?? "", path: short[2] ?? "" };
  const [, owner, name] = /^\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(path) ?? [];
  if (host === "" || owner === undefined || name === undefined) return undefined;
  return { host: host.toLowerCase().replace(/^(?:www|ssh)\./, ""), owner, name };
}

function parseRemote(url: string): { host: string; path: string } {
  if (!/^(?:https?|ssh|git):\/\//.test(url) || !URL.canParse(url)) return { host: "", path: "" };
  const { hostname, pathname } = new URL(url);
  return { host: hostname, path: decodedPath(pathname) ?? "" };
}

/** A remote may be any text. If it cannot be decoded, it matches nothing. */
function decodedPath(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}
