import { MIN_SECRET_LENGTH } from "@waybill/core";
import type { CredentialConfig, EffectiveConfig, SourceConfig } from "@waybill/local";
import type { Io } from "../io.ts";
import { missing } from "./finding.ts";
import type { Finding } from "./finding.ts";

function credentialsIn(source: SourceConfig): CredentialConfig[] {
  const { token, key, credentials } = source as {
    token?: CredentialConfig;
    key?: CredentialConfig;
    credentials?: Record<string, CredentialConfig>;
  };
  return [token, key, ...Object.values(credentials ?? {})].filter((each) => each !== undefined);
}

/** The variables that a source takes secrets from; programs that print one are not asked. */
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

/** Short values are found in the middle of words, so they are left in answers and in the history. */
export function lookAtSecrets({ env }: Io, { sources }: EffectiveConfig): Finding[] {
  return Object.entries(sources).flatMap(([name, source]) =>
    [...new Set(secretVariables(source))].flatMap((variable) => {
      const length = env[variable]?.trim().length ?? 0;
      if (length === 0 || length >= MIN_SECRET_LENGTH) return [];
      const says = `${variable} has ${length} characters; values under ${MIN_SECRET_LENGTH} are not redacted`;
      return [missing(`secret of ${name}`, says, "Use a longer secret")];
    }),
  );
}
