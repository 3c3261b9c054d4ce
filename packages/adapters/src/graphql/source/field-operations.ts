import type { JsonSchema, OperationSpec } from "@waybill/core";
import { getNamedType, isLeafType, isNonNullType, isRequiredArgument, Kind, parse } from "graphql";
import type { GraphQLArgument, GraphQLField, GraphQLSchema, SelectionSetNode } from "graphql";
import type { GraphqlOperation } from "./graphql-operation.ts";
import { DefaultSelection } from "./default-selection.ts";
import type { SelectionLimits } from "./default-selection.ts";
import { readDocument, readSelection } from "./own-selection.ts";
import { OutputSchemas } from "./output-schema.ts";
import { typeSchema } from "./type-schema.ts";
import type { Definitions } from "./type-schema.ts";

type RootKind = "query" | "mutation" | "subscription";
type Field = GraphQLField<unknown, unknown>;

const SELECTION: JsonSchema = {
  type: "string",
  description:
    "The fields to answer with, in GraphQL, such as { id author { name } } (default: plain values)",
};

/** The name of the input for a selection. Another name is used if an argument has this one. */
function selectionName({ args, type }: Field): string | undefined {
  if (isLeafType(getNamedType(type))) return undefined;
  return args.some(({ name }) => name === "selection") ? "selection_set" : "selection";
}

function inputSchema(field: Field): JsonSchema {
  const { args } = field;
  const definitions: Definitions = new Map();
  const properties: Record<string, JsonSchema> = {};
  for (const { name, type, description } of args) {
    const schema = typeSchema(type, definitions);
    properties[name] = description ? { ...schema, description } : schema;
  }
  const own = selectionName(field);
  if (own !== undefined) properties[own] = SELECTION;
  const required = args.filter(isRequiredArgument).map(({ name }) => name);
  const shared = definitions.size === 0 ? {} : { $defs: Object.fromEntries(definitions) };
  return { type: "object", required, properties, additionalProperties: false, ...shared };
}

const inBrackets = (text: string): string => (text === "" ? "" : `(${text})`);

type Variables = Readonly<Record<string, unknown>>;

/** Whether an argument may be omitted, so that the endpoint's default applies. */
function isLeftOut({ name, type, defaultValue }: GraphQLArgument, variables: Variables): boolean {
  return isNonNullType(type) && defaultValue !== undefined && variables[name] === undefined;
}

function getDocument(kind: RootKind, field: Field, selection: string, values: Variables): string {
  const { name } = field;
  const args = field.args.filter((arg) => !isLeftOut(arg, values));
  const variables = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(", ");
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  return `${kind} ${name}${inBrackets(variables)} { ${name}${inBrackets(given)} ${selection} }`;
}

function selectionIn(document: string): SelectionSetNode | undefined {
  const [operation] = parse(document).definitions;
  const [field] =
    operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
  return field?.kind === Kind.FIELD ? field.selectionSet : undefined;
}

function fieldOperation(
  source: string,
  kind: RootKind,
  field: Field,
  schema: GraphQLSchema,
  limits: SelectionLimits,
): GraphqlOperation {
  const isRead = kind !== "mutation";
  const { name } = field;
  const selection = selectionName(field);
  const summary = {
    id: `${source}.${kind}.${name}`,
    description: field.description?.trim() || `The ${kind} ${name}`,
    effect: isRead ? "read" : "write",
    idempotent: isRead,
    kind: kind === "subscription" ? kind : "call",
    parameters: [...field.args.map((arg) => arg.name), ...(selection ? [selection] : [])],
  } as const;
  const defaultSelection = (): string =>
    new DefaultSelection(schema, limits).of(getNamedType(field.type));
  const spec = (): OperationSpec => ({
    ...summary,
    inputSchema: inputSchema(field),
    outputSchema: new OutputSchemas(schema, new Map(), true).ofField(
      field.type,
      selectionIn(getDocument(kind, field, defaultSelection(), {})),
    ),
  });
  const request: GraphqlOperation["request"] = (params) => {
    const { [selection ?? ""]: given, ...variables } = params;
    const isOwn = typeof given === "string";
    const selected = isOwn ? readSelection(given) : defaultSelection();
    const document = getDocument(kind, field, selected, variables);
    if (isOwn) readDocument(schema, document, "a selection");
    return { operationName: name, document, variables };
  };
  return { summary, spec, request, field: name };
}

/** Every root field as an operation, with a generated selection. */
export function* fieldOperations(
  source: string,
  schema: GraphQLSchema,
  limits: SelectionLimits,
): Generator<GraphqlOperation> {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  for (const kind of ["query", "mutation", "subscription"] as const) {
    for (const field of Object.values(roots[kind]?.getFields() ?? {})) {
      yield fieldOperation(source, kind, field, schema, limits);
    }
  }
}
