import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import { buildSchema } from "graphql";
import type { GraphQLSchema } from "graphql";
import { ADDITIONS } from "./additions.ts";

/** GitHub's public schema as SDL: the pinned package with our additions. */
export async function readSchemaText(): Promise<string> {
  return `${await readPinnedSchema()}\n${ADDITIONS}`;
}

/** The build puts a compressed copy beside this file. In a clone the package contains the text. */
async function readPinnedSchema(): Promise<string> {
  const built = new URL("./schema.graphql.br", import.meta.url);
  if (existsSync(built)) return brotliDecompressSync(await readFile(built)).toString("utf8");
  // Only the file is used: importing the package would build a second schema from 5 MB of JSON.
  const file = new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  return readFile(file, "utf8");
}

let loading: Promise<GraphQLSchema> | undefined;

/** Built once, on first use, because parsing 1.2 MB takes a third of a second. */
export function loadSchema(): Promise<GraphQLSchema> {
  loading ??= build();
  return loading;
}

async function build(): Promise<GraphQLSchema> {
  // A test checks that the schema is valid, so it is not checked at every start.
  return buildSchema(await readSchemaText(), { assumeValid: true, noLocation: true });
}
