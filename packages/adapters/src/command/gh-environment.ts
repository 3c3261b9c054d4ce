import { compareVersions } from "@waybill/core/cards";
import { scrubEnvironment } from "./environment.ts";
import type { Environment } from "./environment.ts";

/** Since this version, `gh` also reads GH_TOKEN for tenants on ghe.com. */
const TENANTS_USE_GH_TOKEN = "2.46.0";

export interface GhEnvironmentOptions {
  readonly env: Environment;
  readonly host: string;
  readonly token?: string | undefined;
  readonly version?: string | undefined;
  /** Folder with the configuration of `gh`, such as the socket to use. */
  readonly configDir?: string | undefined;
}

export function isTenant(host: string): boolean {
  return host.endsWith(".ghe.com");
}

function isGithub(host: string): boolean {
  return host === "github.com" || host.endsWith(".github.com") || host === "github.localhost";
}

/** The variables from which this version of `gh` reads the token of this host. */
function tokenNames(host: string, version: string | undefined): readonly string[] {
  if (isGithub(host)) return ["GH_TOKEN"];
  if (!isTenant(host)) return ["GH_ENTERPRISE_TOKEN"];
  const isNew = version !== undefined && compareVersions(version, TENANTS_USE_GH_TOKEN) >= 0;
  return isNew ? ["GH_TOKEN"] : ["GH_TOKEN", "GH_ENTERPRISE_TOKEN"];
}

/** The token for a host in an environment. The variables are read in the order that `gh` uses. */
export function tokenFromEnvironment(host: string, env: Environment): string | undefined {
  const names =
    isGithub(host) || isTenant(host)
      ? ["GH_TOKEN", "GITHUB_TOKEN"]
      : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
  return names.map((name) => env[name]).find((token) => token !== undefined && token !== "");
}

/** The environment of `gh`: one host, one token, and no prompts. */
export function ghEnvironment(options: GhEnvironmentOptions): Record<string, string> {
  const { env, host, token, version, configDir } = options;
  const names = token === undefined ? [] : tokenNames(host, version);
  return {
    ...scrubEnvironment(env, ["GH_CONFIG_DIR"]),
    ...(configDir !== undefined && { GH_CONFIG_DIR: configDir }),
    ...Object.fromEntries(names.map((name) => [name, token ?? ""])),
    GH_HOST: host,
    GH_PROMPT_DISABLED: "1",
    GH_NO_UPDATE_NOTIFIER: "1",
    GIT_TERMINAL_PROMPT: "0",
    NO_COLOR: "1",
  };
}
