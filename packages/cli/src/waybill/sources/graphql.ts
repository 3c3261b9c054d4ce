import { readFile, stat } from "node:fs/promises";
import { graphqlSource } from "@waybill/adapters/graphql";
import { fail } from "@waybill/core";
import type { Source } from "@waybill/core";
import type { GraphqlSourceConfig } from "@waybill/state";
import { connectCommand } from "../../connect/connect-command.ts";
import { Secrets } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";
import { userAgent } from "./surroundings.ts";

const MAX_BYTES = 64_000_000;

async function readGraphqlFile(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw fail("VALIDATION", `${path} must be a GraphQL file`);
  if (found.size <= MAX_BYTES) return readFile(path, "utf8");
  throw fail("VALIDATION", `${path} must not be larger than ${MAX_BYTES} bytes`);
}

/** A source from a GraphQL endpoint and its local files. */
export async function openSource(
  name: string,
  config: GraphqlSourceConfig,
  { transport, limits, secrets, documents: cache, signedIn }: Surroundings,
): Promise<Source> {
  const { url, schema, documents, persisted, depth, token, allow_private } = config;
  const subscriptionsUrl = config.subscriptions_url;
  const connected = token === undefined ? (await signedIn(name, config))?.token : undefined;
  const tokenHint = connectCommand(name, config.account);
  return graphqlSource({
    name,
    url,
    transport: transport(allow_private),
    rateLimits: { account: config.account, store: limits },
    cache,
    userAgent: userAgent(),
    schema: schema === undefined ? undefined : await readGraphqlFile(schema),
    documents:
      documents === undefined ? undefined : await Promise.all(documents.map(readGraphqlFile)),
    persisted,
    subscriptionsUrl,
    allowPrivate: allow_private ?? false,
    ...(depth !== undefined && { depth }),
    ...(connected !== undefined && { token: connected, tokenHint }),
    ...(token !== undefined && { token: secrets.source(token), tokenHint: Secrets.hint(token) }),
  });
}
