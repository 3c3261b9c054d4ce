import { ghFactSource, tokenFromEnvironment } from "@waybill/adapters/command";
import { checkoutRepository, findGithub } from "@waybill/github";
import type { GithubHost } from "@waybill/github";
import type { EffectiveConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { broken, errorText, missingFinding, off, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

const TOKEN_NAMES = [
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
] as const;

interface Gh {
  readonly version: string | undefined;
  readonly isAvailable: boolean;
  readonly isAuthenticated: boolean;
}

async function askGh({ env }: Io, place: GithubHost): Promise<Gh> {
  const { host, ghToken, ghConfigDir } = place;
  const configDir = ghConfigDir ?? undefined;
  const facts = await ghFactSource({ host, env, token: ghToken, configDir }).facts([
    "ghAvailable",
    "ghVersion",
    "ghAuthenticated",
  ]);
  return {
    version: facts.ghVersion,
    isAvailable: facts.ghAvailable === true,
    isAuthenticated: facts.ghAuthenticated === true,
  };
}

/** Names the variables that contain a token, and never prints their values. */
function tokenFindings({ env }: Io, { host, warning, tokenHost }: GithubHost): Finding[] {
  if (warning !== undefined) return [ok("token", `none needed: ${warning}`)];
  const set = TOKEN_NAMES.filter((name) => (env[name] ?? "") !== "");
  const used = set.find((name) => tokenFromEnvironment(host, { [name]: env[name] }) !== undefined);
  const findings = set.map((name) =>
    name === used
      ? ok(`token ${name}`, `is sent to ${host}`)
      : off(`token ${name}`, `is set but not used for ${host}`),
  );
  if (used !== undefined || tokenHost === undefined) return findings;
  const fix = `For ${host} set another token, or run: gh auth login --hostname ${host}`;
  return [...findings, missingFinding("token", `the only token is for ${tokenHost}`, fix)];
}

function ghFinding(gh: Gh, { host, ghConfigDir }: GithubHost): Finding {
  const { version = "of an unknown version" } = gh;
  if (!gh.isAvailable) {
    return missingFinding(
      "gh",
      "is not installed",
      "Install it from https://cli.github.com (optional)",
    );
  }
  if (ghConfigDir === null) return off("gh", `${version} cannot reach an embedded GitHub by URL`);
  if (gh.isAuthenticated) return ok("gh", `${version}, signed in to ${host}`);
  return missingFinding(
    "gh",
    `${version}, not signed in to ${host}`,
    `gh auth login --hostname ${host}`,
  );
}

/** Each route needs a token. The `cli` route also needs `gh`. */
function routeFindings(hasToken: boolean, gh: Gh, place: GithubHost): Finding[] {
  const { host, ghConfigDir, isStandIn, restUrl } = place;
  const target = isStandIn === true ? new URL(restUrl).origin : host;
  const fix = `Set GITHUB_TOKEN (GH_ENTERPRISE_TOKEN for other hosts), or run: gh auth login --hostname ${host}`;
  const direct = ["graphql", "rest"].map((route) =>
    hasToken
      ? ok(`route ${route}`, `to ${target}`)
      : missingFinding(`route ${route}`, `no token for ${host}`, fix),
  );
  const hasCli = gh.isAvailable && gh.isAuthenticated && ghConfigDir !== null;
  if (hasCli) return [...direct, ok("route cli", "through gh")];
  const why = ghConfigDir === null ? "gh cannot reach it by URL" : "gh is missing or not signed in";
  return [
    ...direct,
    missingFinding("route cli", why, "Optional: the other routes need only a token"),
  ];
}

async function hasTokenFor({ token }: GithubHost): Promise<boolean> {
  try {
    const found = typeof token === "function" ? await token() : token;
    return found !== undefined && found !== "";
  } catch {
    return false;
  }
}

async function checkoutFinding({ cwd, env }: Io, { host }: GithubHost): Promise<Finding> {
  const found = await checkoutRepository(cwd, host, env);
  return found === undefined
    ? off("checkout", `no remote on ${host} here, so calls must name their repository`)
    : ok("checkout", `${found.owner}/${found.name}, the default repository of calls here`);
}

/** The GitHub host, its token and the available routes. Sends no request. */
export async function lookAtGithub(
  io: Io,
  { hosts, packs, state }: EffectiveConfig,
): Promise<readonly Finding[]> {
  if (!packs.includes("github"))
    return [off("github", 'the GitHub pack is disabled by "packs" in the configuration')];
  try {
    const place = await findGithub({ env: io.env, configured: hosts.github, state });
    const [gh, hasToken] = await Promise.all([askGh(io, place), hasTokenFor(place)]);
    return [
      ...tokenFindings(io, place),
      ghFinding(gh, place),
      ...routeFindings(hasToken, gh, place),
      await checkoutFinding(io, place),
    ];
  } catch (error) {
    return [broken("github", errorText(error), "Correct WAYBILL_GITHUB, GH_HOST or hosts.github")];
  }
}
