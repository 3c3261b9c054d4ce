import { readFileSync } from "node:fs";
import {
  Kind,
  TypeInfo,
  buildASTSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { ASTNode, DocumentNode, GraphQLSchema } from "graphql";

interface Schema {
  readonly text: string;
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

const ROOTS = new Set(["Query", "Mutation"]);
let loaded: Schema | undefined;

/** GitHub's public schema as its package ships it. */
function load(): Schema {
  if (loaded !== undefined) return loaded;
  const file = new URL("./schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  const text = readFileSync(file, "utf8");
  const document = parse(text);
  loaded = { text, document, schema: buildASTSchema(document, { assumeValidSDL: true }) };
  return loaded;
}

function textAt(text: string, { loc }: ASTNode): string {
  return loc === undefined ? "" : text.slice(loc.start, loc.end);
}

/** The definition of a type with its descriptions, word for word. */
export function typeText(name: string): string {
  const { document, text } = load();
  const node = document.definitions.find(
    (each) => "name" in each && each.name?.value === name && each.kind.endsWith("TypeDefinition"),
  );
  if (node === undefined) throw new Error(`GitHub's schema has no type ${name}`);
  return textAt(text, node);
}

function rootFieldText(root: string, field: string): string {
  const { schema, text } = load();
  const node = schema.getType(root)?.astNode;
  const fields = node?.kind === Kind.OBJECT_TYPE_DEFINITION ? (node.fields ?? []) : [];
  const found = fields.find(({ name }) => name.value === field);
  if (found === undefined) throw new Error(`GitHub's schema has no ${root}.${field}`);
  return `type ${root} {\n  ${textAt(text, found)}\n}`;
}

/** Enums and inputs that are passed on the way. */
function inputTypes(name: string, into: Set<string>): void {
  const type = load().schema.getType(name);
  if (isEnumType(type) || isInputObjectType(type)) into.add(name);
}

/**
 * What has to be read to write a document: of Query and Mutation the fields that are used, of
 * every other type on the way the whole definition, since that is where its fields are looked for.
 */
export function slicesFor(source: string): Map<string, string> {
  const { schema } = load();
  const info = new TypeInfo(schema);
  const fields = new Set<string>();
  const types = new Set<string>();
  const passed = (): void => {
    const type = getNamedType(info.getInputType());
    if (type) inputTypes(type.name, types);
  };
  visit(
    parse(source),
    visitWithTypeInfo(info, {
      Field({ name }) {
        const parent = info.getParentType()?.name;
        if (parent === undefined || name.value.startsWith("__")) return;
        if (ROOTS.has(parent)) fields.add(`${parent}.${name.value}`);
        else types.add(parent);
      },
      Argument: passed,
      ObjectField: passed,
    }),
  );
  const roots = [...fields].map((path): [string, string] => {
    const [root = "", field = ""] = path.split(".");
    return [path, rootFieldText(root, field)];
  });
  return new Map([...roots, ...[...types].map((name): [string, string] => [name, typeText(name)])]);
}

let names: ReadonlySet<string> | undefined;

/** What GitHub calls the fields of its things: words that a model which knows GitHub knows. */
export function githubFieldNames(): ReadonlySet<string> {
  if (names !== undefined) return names;
  const fields = load().document.definitions.flatMap((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? (node.fields ?? []).map(({ name }) => name.value)
      : [],
  );
  names = new Set(fields);
  return names;
}
