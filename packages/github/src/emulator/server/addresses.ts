import type { Urls } from "../urls.ts";

/** The API that a request is for, and its path without the API's prefix. */
export interface Door {
  readonly kind: "rest" | "graphql" | "storage" | "page";
  readonly path: string;
  readonly urls: Urls;
}

export interface Listening {
  /** The protocol: http or https. Over a Unix socket, clients expect https. */
  readonly scheme: "http" | "https";
  /** The URL of stored files, if they have their own port. */
  readonly storage: string | undefined;
}

const GITHUB_STORAGE = "https://results-receiver.actions.githubusercontent.com";
const PREFIXES = ["/api/v3", "/api/uploads", "/api/graphql"];

/**
 * A client on a Unix socket may request any host through it, including the storage host and its
 * port.
 */
function isStorageHost(host: string, storage: string): boolean {
  return host.endsWith(".githubusercontent.com") || host === new URL(storage).host;
}

/**
 * On github.com each API has its own host; on an enterprise host each API has its own path prefix.
 */
export function findDoor(host: string, path: string, listening: Listening): Door {
  const { scheme } = listening;
  const storage = listening.storage ?? GITHUB_STORAGE;
  if (isStorageHost(host, storage)) return { kind: "storage", path, urls: githubUrls(storage) };
  const prefix = PREFIXES.find((one) => path === one || path.startsWith(`${one}/`));
  if (prefix !== undefined) {
    const base = `${scheme}://${host}`;
    const urls = { html: base, api: `${base}/api/v3`, uploads: `${base}/api/uploads`, storage };
    const kind = prefix === "/api/graphql" ? "graphql" : "rest";
    return { kind, path: path.slice(prefix.length) || "/", urls };
  }
  const urls = getUrls(host, scheme, storage);
  if (path === "/graphql") return { kind: "graphql", path, urls };
  return { kind: host === "github.com" ? "page" : "rest", path, urls };
}

function githubUrls(storage: string): Urls {
  return {
    html: "https://github.com",
    api: "https://api.github.com",
    uploads: "https://uploads.github.com",
    storage,
  };
}

/** The emulator's port serves the API. URLs of pages stay the same as on GitHub. */
function getUrls(host: string, scheme: string, storage: string): Urls {
  const github = githubUrls(storage);
  if (host.endsWith("github.com")) return github;
  const api = `${scheme}://${host}`;
  return { ...github, api, uploads: api };
}
