import type { Urls } from "../urls.ts";

/** Which door a request came to, and its path behind that door. */
export interface Door {
  readonly kind: "rest" | "graphql" | "storage" | "page";
  readonly path: string;
  readonly urls: Urls;
}

export interface Listening {
  /** http or https; over a Unix socket whatever the client believes, which is https. */
  readonly scheme: "http" | "https";
  /** Where stored files are, when they are on a port of their own. */
  readonly storage: string | undefined;
}

const GITHUB_STORAGE = "https://results-receiver.actions.githubusercontent.com";
const PREFIXES = ["/api/v3", "/api/uploads", "/api/graphql"];

/** A client of a socket may request every host there, storage on its port included. */
function isStorageHost(host: string, storage: string): boolean {
  return host.endsWith(".githubusercontent.com") || host === new URL(storage).host;
}

/** github.com has a host for each door; an enterprise host has a prefix for each. */
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

/** On a port of its own the API is there, while pages keep the addresses they have on GitHub. */
function getUrls(host: string, scheme: string, storage: string): Urls {
  const github = githubUrls(storage);
  if (host.endsWith("github.com")) return github;
  const api = `${scheme}://${host}`;
  return { ...github, api, uploads: api };
}
