import type { JsonSchema, OperationSpec } from "@waybill/core";
import { getNamedType, isRequiredArgument, Kind, parse } from "graphql";
import type { GraphQLField, GraphQLSchema, SelectionSetNode } from "graphql";
import type { GraphqlOperation } from "./graphql-operation.ts";
import { DefaultSelection } from "./default-selection.ts";
import type { SelectionLimits } from "./default-selection.ts";
import { OutputSchemas } from "./output-schema.ts";
import { typeSchema } from "./type-schema.ts";
import type { Definitions } from "./type-schema.ts";

type RootKind = "query" | "mutation";
type Field = GraphQLField<unknown, unknown>;

function inputSchema({ args }: Field): JsonSchema {
  const definitions: Definitions = new Map();
  const properties: Record<string, JsonSchema> = {};
  for (const { name, type, description } of args) {
    const schema = typeSchema(type, definitions);
    properties[name] = description ? { ...schema, description } : schema;
  }
  const required = args.filter(isRequiredArgument).map(({ name }) => name);
  const shared = definitions.size === 0 ? {} : { $defs: Object.fromEntries(definitions) };
  return { type: "object", required, properties, additionalProperties: false, ...shared };
}

const inBrackets = (text: string): string => (text === "" ? "" : `(${text})`);

function documentOf(kind: RootKind, { name, args, type }: Field, limits: SelectionLimits): string {
  const variables = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(", ");
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const selection = new DefaultSelection(limits).of(getNamedType(type));
  return `${kind} ${name}${inBrackets(variables)} { ${name}${inBrackets(given)} ${selection} }`;
}

function selectionIn(document: string): SelectionSetNode | undefined {
  const [operation] = parse(document).definitions;
  const [field] =
    operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
  return field?.kind === Kind.FIELD ? field.selectionSet : undefined;
}

/** A page in the Relay manner says so in its own words; a default can only name what it left out. */
const NOTE = "Answers with plain values only; for other fields, give the source a document";

function operationOf(
  source: string,
  kind: RootKind,
  field: Field,
  schema: GraphQLSchema,
  limits: SelectionLimits,
): GraphqlOperation {
  const isRead = kind === "query";
  const summary = {
    id: `${source}.${kind}.${field.name}`,
    description: field.description?.trim() || `The ${kind} ${field.name}`,
    effect: isRead ? "read" : "write",
    idempotent: isRead,
    kind: "call",
    parameters: field.args.map(({ name }) => name),
  } as const;
  const document = (): string => documentOf(kind, field, limits);
  const spec = (): OperationSpec => ({
    ...summary,
    inputSchema: inputSchema(field),
    outputSchema: new OutputSchemas(schema, new Map()).ofField(field.type, selectionIn(document())),
    notes: [NOTE],
  });
  return { summary, spec, document, operationName: field.name, field: field.name };
}

/** Every root field as an operation, with a selection made for it. */
export function* fieldOperations(
  source: string,
  schema: GraphQLSchema,
  limits: SelectionLimits,
): Generator<GraphqlOperation> {
  const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
  for (const kind of ["query", "mutation"] as const) {
    for (const field of Object.values(roots[kind]?.getFields() ?? {})) {
      yield operationOf(source, kind, field, schema, limits);
    }
  }
}
