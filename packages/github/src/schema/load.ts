import { readFile } from "node:fs/promises";
import { buildSchema } from "graphql";
import type { GraphQLSchema } from "graphql";
import { ADDITIONS } from "./additions.ts";

/** GitHub's public schema as SDL: the pinned package, and what is newer than it. */
export async function readSchemaText(): Promise<string> {
  // Importing the package would build a second schema from 5 MB of JSON; only its file is wanted.
  const file = new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  return `${await readFile(file, "utf8")}\n${ADDITIONS}`;
}

let loading: Promise<GraphQLSchema> | undefined;

/** Built once, when it is first needed: parsing 1.2 MB takes a third of a second. */
export function loadSchema(): Promise<GraphQLSchema> {
  loading ??= build();
  return loading;
}

async function build(): Promise<GraphQLSchema> {
  // That the package is valid is checked by a test, not at every start.
  return buildSchema(await readSchemaText(), { assumeValid: true });
}
