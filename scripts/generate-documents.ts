import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import {
  OverlappingFieldsCanBeMergedRule,
  buildSchema,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { GraphQLSchema } from "graphql";
import { readSchemaText } from "../packages/github/src/schema/index.ts";
import { root } from "./run.mjs";

const folder = join(root, "packages/github/cards/documents");

/**
 * A validation rule that is left out. GitHub does not apply it either, because some of its types
 * violate it.
 */
const rules = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

type Document = { readonly location: string; readonly document: ReturnType<typeof parse> };

async function readDocuments(): Promise<Document[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".graphql")).toSorted();
  return Promise.all(
    names.map(async (location) => ({
      location,
      document: parse(await readFile(join(folder, location), "utf8")),
    })),
  );
}

function assertValid(schema: GraphQLSchema, documents: readonly Document[]): void {
  const problems = documents.flatMap(({ location, document }) =>
    validate(schema, document, rules).map(({ message, locations }) => {
      const line = locations?.[0]?.line ?? 1;
      return `packages/github/cards/documents/${location}:${line} ${message}`;
    }),
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** The types of variables and answers of every document, from GitHub's schema. */
export async function renderDocuments(): Promise<string> {
  const text = await readSchemaText();
  const schema = buildSchema(text, { assumeValid: true });
  const documents = await readDocuments();
  assertValid(schema, documents);
  const types = await codegen({
    filename: "documents.ts",
    schema: parse(text),
    schemaAst: schema,
    documents,
    plugins: [{ operations: {} }],
    pluginMap: { operations },
    config: {
      scalars: { DateTime: "string", URI: "string", GitObjectID: "string", Date: "string" },
      skipTypename: true,
      immutableTypes: true,
      enumsAsTypes: true,
    },
  });
  return `// Generated from the documents and GitHub's schema by \`npm run generate\`. Do not edit.\n${types}`;
}
