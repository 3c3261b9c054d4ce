import type { JsonSchema, OperationSummary } from "@waybill/core";
import {
  isInputType,
  Kind,
  OperationTypeNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  print,
  separateOperations,
  specifiedRules,
  TokenKind,
  typeFromAST,
  validate,
} from "graphql";
import type {
  DefinitionNode,
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from "graphql";
import type { GraphqlOperation } from "./graphql-operation.ts";
import { OutputSchemas } from "./output-schema.ts";
import { typeSchema } from "./type-schema.ts";
import type { Definitions } from "./type-schema.ts";

/** Comparing every field with every other takes long on big documents, and a server does it anyway. */
const RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
const MAX_TOKENS = 20_000;

type Report = (operationId: string, message: string) => void;

const isFragment = (node: DefinitionNode): node is FragmentDefinitionNode =>
  node.kind === Kind.FRAGMENT_DEFINITION;
const isOperation = (node: DefinitionNode): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

/** The comment above an operation, which is where people describe it. */
function commentAbove({ loc }: OperationDefinitionNode): string {
  const lines: string[] = [];
  let token = loc?.startToken.prev;
  while (token?.kind === TokenKind.COMMENT) {
    lines.unshift(token.value.trim());
    token = token.prev;
  }
  return lines.join(" ").trim();
}

function inputSchema(schema: GraphQLSchema, node: OperationDefinitionNode): JsonSchema {
  const definitions: Definitions = new Map();
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { variable, type, defaultValue } of node.variableDefinitions ?? []) {
    const found = typeFromAST(schema, type);
    const name = variable.name.value;
    properties[name] = isInputType(found) ? typeSchema(found, definitions) : true;
    if (type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined) required.push(name);
  }
  const shared = definitions.size === 0 ? {} : { $defs: Object.fromEntries(definitions) };
  return { type: "object", required, properties, additionalProperties: false, ...shared };
}

function outputSchema(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  node: OperationDefinitionNode,
): JsonSchema {
  const fragments = new Map(
    definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]),
  );
  const root = schema.getRootType(node.operation);
  if (root === undefined || root === null) return true;
  return new OutputSchemas(schema, fragments).ofSelection(root, node.selectionSet);
}

function summaryOf(source: string, name: string, node: OperationDefinitionNode): OperationSummary {
  const isRead = node.operation === OperationTypeNode.QUERY;
  const variables = node.variableDefinitions ?? [];
  return {
    id: `${source}.${name}`,
    description: commentAbove(node) || `The ${node.operation} ${name}`,
    effect: isRead ? "read" : "write",
    idempotent: isRead,
    kind: "call",
    parameters: variables.map(({ variable }) => variable.name.value),
  };
}

function problemOf(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  document: DocumentNode,
): string | undefined {
  if (node.operation === OperationTypeNode.SUBSCRIPTION)
    return "a GraphQL subscription cannot be called";
  return validate(schema, document, RULES, { maxErrors: 1 })[0]?.message;
}

function operationOf(
  source: string,
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  document: DocumentNode,
): GraphqlOperation {
  const name = node.name?.value ?? "";
  const summary = summaryOf(source, name, node);
  return {
    summary,
    operationName: name,
    document: () => print(document),
    spec: () => ({
      ...summary,
      inputSchema: inputSchema(schema, node),
      outputSchema: outputSchema(schema, document, node),
    }),
  };
}

/** The named operations of a document; one that does not fit the schema is reported, not offered. */
export function* documentOperations(
  source: string,
  schema: GraphQLSchema,
  text: string,
  report: Report,
): Generator<GraphqlOperation> {
  const separate = separateOperations(parse(text, { maxTokens: MAX_TOKENS }));
  for (const [name, document] of Object.entries(separate)) {
    const node = document.definitions.find(isOperation);
    if (node === undefined) continue;
    const problem = name === "" ? "it has no name" : problemOf(schema, node, document);
    if (problem === undefined) yield operationOf(source, schema, node, document);
    else report(`${source}.${name || node.operation}`, problem);
  }
}
