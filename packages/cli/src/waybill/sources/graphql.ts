import { readFile } from "node:fs/promises";
import { graphqlSource } from "@waybill/adapters/graphql";
import type { Source } from "@waybill/core";
import type { GraphqlSourceConfig } from "@waybill/local";
import { Secrets } from "./secrets.ts";
import type { Surroundings } from "./surroundings.ts";
import { userAgent } from "./surroundings.ts";

const read = (path: string): Promise<string> => readFile(path, "utf8");

/** A GraphQL endpoint, with what its files say of it. */
export async function openSource(
  name: string,
  { url, schema, documents, depth, token }: GraphqlSourceConfig,
  { transport, secrets }: Surroundings,
): Promise<Source> {
  return graphqlSource({
    name,
    url,
    transport,
    userAgent: userAgent(),
    schema: schema === undefined ? undefined : await read(schema),
    documents: documents === undefined ? undefined : await Promise.all(documents.map(read)),
    ...(depth !== undefined && { depth }),
    ...(token !== undefined && { token: secrets.source(token), tokenHint: Secrets.hint(token) }),
  });
}
