import type { SchemeUse } from "@waybill/adapters/openapi";
import type { CredentialConfig, SourceConfig } from "@waybill/state";
import { UsageError } from "../words/usage-error.ts";

type Credentials = Readonly<Record<string, CredentialConfig>>;

/** Reads `NAME`, the variable for the API's usual scheme, or `scheme=NAME` for a named scheme. */
export function credentialsFrom(words: readonly string[]): Credentials {
  const pairs = words.map((word): [string, CredentialConfig] => {
    const at = word.lastIndexOf("=");
    return at < 0 ? ["*", { env: word }] : [word.slice(0, at), { env: word.slice(at + 1) }];
  });
  return Object.fromEntries(pairs);
}

function describedScheme({ name, way }: SchemeUse): string {
  return `${name} (${way})`;
}

/** The security scheme for a token that was given without a scheme. */
function usualScheme(schemes: readonly SchemeUse[], named: Credentials): SchemeUse {
  const unnamed = schemes.filter(({ name }) => !Object.hasOwn(named, name));
  const first = unnamed.find(({ operations }) => operations > 0) ?? unnamed[0]!;
  const hasOthers = Object.keys(named).length > 1;
  if (first.operations > 0 || hasOthers) return first;
  const example = unnamed.map(({ name }) => `${name}=NAME`).join(",");
  const message = `Its operations need several credentials at once: ${unnamed.map(describedScheme).join(", ")}`;
  throw new UsageError(message, { hint: `--token-env ${example}` });
}

/**
 * Stores each token under the name of its security scheme, because it is sent only for that scheme.
 */
export function withSchemes(
  config: SourceConfig,
  schemes: readonly SchemeUse[] = [],
): SourceConfig {
  if (config.kind !== "openapi") return config;
  const { "*": token, ...named } = config.credentials ?? {};
  if (token === undefined || schemes.every(({ name }) => Object.hasOwn(named, name))) return config;
  const usual = usualScheme(schemes, config.credentials ?? {});
  const alike = schemes.filter(({ name, way }) => way === usual.way && !Object.hasOwn(named, name));
  const own = Object.fromEntries(alike.map(({ name }) => [name, token]));
  return { ...config, credentials: { ...named, ...own } };
}

/** How each token is sent, and which schemes have no token. */
export function schemeLines(config: SourceConfig, schemes: readonly SchemeUse[] = []): string[] {
  if (config.kind !== "openapi" || config.credentials === undefined) return [];
  const { credentials } = config;
  const sent = schemes.filter(({ name }) => Object.hasOwn(credentials, name));
  const others = schemes.filter(({ name }) => !Object.hasOwn(credentials, name));
  const ways = [...new Set(sent.map(({ way }) => way))];
  return [
    ...(ways.length === 0 ? [] : [`the token is sent as ${ways.join(", ")}`]),
    ...(others.length === 0 || ways.length === 0
      ? []
      : [
          `other operations need ${others.map(describedScheme).join(", ")}: --token-env ${others[0]!.name}=NAME`,
        ]),
  ];
}
