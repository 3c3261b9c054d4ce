import { readFile, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { ghToken, tokenFromEnvironment } from "@waybill/adapters/command";
import { fail } from "@waybill/core";
import { ensurePrivateFolder } from "@waybill/state/files";
import { PUBLIC_HOST, getApi, isPublic } from "./github-host.ts";
import type { GithubHost } from "./github-host.ts";

/** The settings that select a GitHub host. */
export interface PlaceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * A host name, or the address of an embedded GitHub. It overrides `GH_HOST`, and `WAYBILL_GITHUB`
   * overrides it.
   */
  readonly configured?: string | undefined;
  /** The folder for a `gh` configuration that uses a socket. */
  readonly state: string;
  readonly program?: string;
}

const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;
/** The token for the embedded GitHub. It is valid nowhere else. */
const EMBEDDED_TOKEN = "waybill-octocat";

function embeddedAt(where: string): string {
  return `Answered by the embedded GitHub at ${where}, not by github.com`;
}

/**
 * Writes a configuration that makes `gh` use the socket. Without it `gh` would call GitHub. Null if
 * it cannot be written; the other routes still work.
 */
async function ghFolder(socket: string, state: string): Promise<string | null> {
  const name = createHash("sha256").update(socket).digest("hex").slice(0, 16);
  const folder = join(state, "gh", name);
  const path = join(folder, "config.yml");
  const text = `http_unix_socket: ${JSON.stringify(socket)}\n`;
  try {
    if ((await readFile(path, "utf8").catch(() => undefined)) === text) return folder;
    await ensurePrivateFolder(folder);
    await writeFile(path, text);
    return folder;
  } catch {
    return null;
  }
}

async function embeddedGithub(where: string, state: string): Promise<GithubHost> {
  const common = { host: PUBLIC_HOST, token: EMBEDDED_TOKEN, warning: embeddedAt(where) };
  if (/^https?:\/\//i.test(where)) {
    const url = where.replace(/\/+$/, "");
    const urls = { restUrl: url, graphqlUrl: `${url}/graphql` };
    return { ...common, ...urls, isStandIn: true, ghConfigDir: null };
  }
  const api = "http://api.github.com";
  return {
    ...common,
    restUrl: api,
    graphqlUrl: `${api}/graphql`,
    socketPath: where,
    ghToken: EMBEDDED_TOKEN,
    ghConfigDir: await ghFolder(where, state),
  };
}

function isEmbedded(where: string): boolean {
  return where.startsWith("/") || /^https?:\/\//i.test(where);
}

/** The host of a token that is set, but under the variable for another kind of host. */
function strangersHost(host: string, env: PlaceOptions["env"]): string | undefined {
  const other = isPublic(host) ? "enterprise.invalid" : PUBLIC_HOST;
  if (tokenFromEnvironment(other, env) === undefined) return undefined;
  return isPublic(host) ? "an Enterprise Server" : PUBLIC_HOST;
}

function githubHost(host: string, { env, program }: PlaceOptions): GithubHost {
  const fromEnv = tokenFromEnvironment(host, env);
  const stored = { host, env, ...(program !== undefined && { program }) };
  const stranger = fromEnv === undefined ? strangersHost(host, env) : undefined;
  return {
    host,
    ...getApi(host),
    token: fromEnv ?? (() => ghToken(stored)),
    ...(fromEnv !== undefined && { ghToken: fromEnv }),
    ...(stranger !== undefined && { tokenHost: stranger }),
  };
}

/**
 * Selects the GitHub host and how to reach it. The embedded one is used only if it is named, and no
 * real token is sent to it.
 */
export async function findGithub(options: PlaceOptions): Promise<GithubHost> {
  const { env, configured, state } = options;
  const embedded = env["WAYBILL_GITHUB"] || undefined;
  if (embedded !== undefined) {
    if (isEmbedded(embedded)) return embeddedGithub(embedded, state);
    throw refused("WAYBILL_GITHUB", "an http address or the path of a socket", embedded);
  }
  if (configured !== undefined && isEmbedded(configured)) return embeddedGithub(configured, state);
  const host = configured ?? (env["GH_HOST"] || PUBLIC_HOST);
  if (HOST.test(host)) return githubHost(host.toLowerCase(), options);
  throw refused(configured === undefined ? "GH_HOST" : "hosts.github", "a host name", host);
}

function refused(name: string, wanted: string, given: string): Error {
  const message = `${name} must be ${wanted}, not ${JSON.stringify(given)}`;
  return fail("VALIDATION", message, { outcome: "not_applied" });
}
