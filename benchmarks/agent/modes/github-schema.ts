import { readFileSync } from "node:fs";
import { Kind, buildASTSchema, parse } from "graphql";
import type {
  ASTNode,
  DocumentNode,
  FieldDefinitionNode,
  GraphQLSchema,
  InputValueDefinitionNode,
} from "graphql";

interface Schema {
  readonly text: string;
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

let loaded: Schema | undefined;

/** GitHub's public schema from its npm package. */
function loadGithubSchema(): Schema {
  if (loaded !== undefined) return loaded;
  const file = new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  const text = readFileSync(file, "utf8");
  const document = parse(text);
  loaded = { text, document, schema: buildASTSchema(document, { assumeValidSDL: true }) };
  return loaded;
}

export function githubSchema(): GraphQLSchema {
  return loadGithubSchema().schema;
}

function textAt({ loc }: ASTNode): string {
  return loc === undefined ? "" : loadGithubSchema().text.slice(loc.start, loc.end);
}

/** The definition of a type with its descriptions, unchanged. */
export function typeText(name: string): string {
  const node = loadGithubSchema().document.definitions.find(
    (each) => "name" in each && each.name?.value === name && each.kind.endsWith("TypeDefinition"),
  );
  if (node === undefined) throw new Error(`GitHub's schema has no type ${name}`);
  return textAt(node);
}

function schemaFields(type: string): readonly (FieldDefinitionNode | InputValueDefinitionNode)[] {
  const node = loadGithubSchema().schema.getType(type)?.astNode;
  return node && "fields" in node ? (node.fields ?? []) : [];
}

/** The definition of a field; undefined if the type does not have it. */
export function fieldText(type: string, field: string): string | undefined {
  const found = schemaFields(type).find(({ name }) => name.value === field);
  return found && textAt(found);
}

let names: ReadonlySet<string> | undefined;

/** The names of GitHub's fields, which GitHub users know. */
export function githubFieldNames(): ReadonlySet<string> {
  if (names !== undefined) return names;
  const fields = loadGithubSchema().document.definitions.flatMap((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? (node.fields ?? []).map(({ name }) => name.value)
      : [],
  );
  names = new Set(fields);
  return names;
}
