import { MIN_SECRET_LENGTH } from "@waybill/core/cards";
import type { CredentialConfig, EffectiveConfig, SourceConfig } from "@waybill/state";
import type { Io } from "../io.ts";
import { broken, missingFinding, off, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

function credentialsIn(source: SourceConfig): CredentialConfig[] {
  const { token, key, credentials } = source as {
    token?: CredentialConfig;
    key?: CredentialConfig;
    credentials?: Record<string, CredentialConfig>;
  };
  return [token, key, ...Object.values(credentials ?? {})].filter((each) => each !== undefined);
}

/**
 * The environment variables with a source's secrets. Programs that print a secret are not run here.
 */
function secretVariables(source: SourceConfig): string[] {
  const named = credentialsIn(source).flatMap((each) => ("env" in each ? [each.env] : []));
  if (source.kind !== "mcp") return named;
  const { headers = {}, auth = {} } = source;
  const texts = [...Object.values(headers), auth.clientSecret ?? ""];
  const referred = texts.flatMap((text) =>
    Array.from(text.matchAll(/\$\{env:([^}]+)\}/gu), ([, name]) => name!),
  );
  return [...named, ...referred];
}

/**
 * Warns about short secrets. They also occur inside ordinary words, so they are not removed from
 * answers and history.
 */
export function lookAtSecrets({ env }: Io, { sources }: EffectiveConfig): Finding[] {
  return Object.entries(sources).flatMap(([name, source]) =>
    [...new Set(secretVariables(source))].flatMap((variable) => {
      const length = env[variable]?.trim().length ?? 0;
      if (length === 0 || length >= MIN_SECRET_LENGTH) return [];
      const says = `${variable} has ${length} characters; values under ${MIN_SECRET_LENGTH} are not redacted`;
      return [missingFinding(`secret of ${name}`, says, "Use a longer secret")];
    }),
  );
}

/**
 * Warns about sources that may reach all private addresses: an answer could lead Waybill to any
 * machine of the network.
 */
export function lookAtReach({ sources }: EffectiveConfig): Finding[] {
  return Object.entries(sources).flatMap(([name, source]) => {
    if (!("allow_private" in source) || source.allow_private !== true) return [];
    const says = "allow_private: true allows every private address";
    return [
      missingFinding(
        `private addresses of ${name}`,
        says,
        'Name hosts or ranges: "allow_private": ["127.0.0.1"]',
      ),
    ];
  });
}

/** Warns about programs that run with all rights of the user. */
export async function lookAtIsolation({ sources }: EffectiveConfig): Promise<Finding[]> {
  const programs = Object.entries(sources).filter(
    ([, source]) => source.kind === "mcp" && source.command !== undefined,
  );
  if (programs.length === 0) return [];
  const isolated = programs.filter(
    ([, source]) => source.kind === "mcp" && Boolean(source.isolated),
  );
  if (isolated.length === 0) {
    return [off("isolation", 'no MCP server runs in a sandbox; "isolated": true enables it')];
  }
  const { isolationProblem } = await import("@waybill/mcp/client");
  const problem = await isolationProblem();
  const names = isolated.map(([name]) => name).join(", ");
  if (problem === undefined) return [ok("isolation", `${names} in a sandbox of bwrap`)];
  const fix =
    "Install bubblewrap (apt-get install bubblewrap) on a machine that allows user namespaces";
  return [broken("isolation", `${names} cannot be started: ${problem}`, fix)];
}
