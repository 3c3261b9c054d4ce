import { openapiSource } from "@waybill/adapters/openapi";
import type { OpenApiOptions, OpenApiSource } from "@waybill/adapters/openapi";
import type { OpenapiSourceConfig } from "@waybill/state";
import { signInHint } from "../../connect/sign-in-hint.ts";
import type { SecretSource } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";
import { userAgent } from "./surroundings.ts";

/** The token of the connected account, for its security schemes. */
async function connected(
  name: string,
  config: OpenapiSourceConfig,
  around: Surroundings,
): Promise<Record<string, SecretSource>> {
  const found = await around.signedIn(name, config);
  const schemes = found?.connection.schemes ?? [];
  return Object.fromEntries(schemes.map((scheme) => [scheme, found!.token]));
}

function overridesFrom(given: NonNullable<OpenapiSourceConfig["overrides"]>) {
  const entries = Object.entries(given).map(([name, { idempotency_header: header, ...others }]) => [
    name,
    { ...others, ...(header !== undefined && { idempotencyHeader: header }) },
  ]);
  return Object.fromEntries(entries) as NonNullable<OpenApiOptions["overrides"]>;
}

function limitsFrom({
  response_mb: mb,
  timeout_ms: ms,
}: NonNullable<OpenapiSourceConfig["limits"]>) {
  return {
    ...(mb !== undefined && { responseBytes: mb * 1_000_000 }),
    ...(ms !== undefined && { totalMs: ms }),
  };
}

const VARIABLE = /\$\{env:([^}]+)\}/gu;

function headersFrom(
  headers: Readonly<Record<string, string>>,
  { env, secrets }: Surroundings,
): Pick<OpenApiOptions, "headers" | "secretHeaders"> {
  secrets.note(Object.values(headers));
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replaceAll(VARIABLE, (_whole, variable: string) => env[variable] ?? ""),
  ]);
  const secret = Object.keys(headers).filter((name) => headers[name]!.search(VARIABLE) >= 0);
  return { headers: Object.fromEntries(filled) as Record<string, string>, secretHeaders: secret };
}

/** The remaining settings of an entry. */
function settingsFrom(config: OpenapiSourceConfig, around: Surroundings): Partial<OpenApiOptions> {
  const { external, base_url, variables, headers, limits, overrides } = config;
  return {
    ...(external !== undefined && { external }),
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(variables !== undefined && { variables }),
    ...(headers !== undefined && headersFrom(headers, around)),
    ...(limits !== undefined && { limits: limitsFrom(limits) }),
    ...(overrides !== undefined && { overrides: overridesFrom(overrides) }),
  };
}

/**
 * A source from an API's description. It may reach private addresses only if the entry allows it.
 */
export async function openSource(
  name: string,
  config: OpenapiSourceConfig,
  around: Surroundings,
): Promise<OpenApiSource> {
  const { document, server, hosts, allow_private } = config;
  const credentials: Record<string, SecretSource> = await connected(name, config, around);
  for (const [scheme, credential] of Object.entries(config.credentials ?? {})) {
    credentials[scheme] = around.secrets.source(credential);
  }
  return openapiSource({
    name,
    ...(URL.canParse(document) ? { url: document } : { file: document }),
    credentials,
    transport: around.transport(allow_private),
    rateLimits: { account: config.account, store: around.limits },
    cache: around.documents,
    handles: around.handles,
    userAgent: userAgent(),
    signInHint: await signInHint(name, config, around),
    ...(server !== undefined && { server }),
    ...(hosts !== undefined && { hosts }),
    ...settingsFrom(config, around),
  });
}
