import type { JsonSchema, OperationSummary } from "@waybill/core";
import {
  isInputType,
  Kind,
  OperationTypeNode,
  print,
  separateOperations,
  TokenKind,
  typeFromAST,
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
import { documentProblem, parseDocument } from "./own-selection.ts";
import { typeSchema } from "./type-schema.ts";
import type { Definitions } from "./type-schema.ts";

type Report = (operationId: string, message: string) => void;

const isFragment = (node: DefinitionNode): node is FragmentDefinitionNode =>
  node.kind === Kind.FRAGMENT_DEFINITION;
const isOperation = (node: DefinitionNode): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

/** The comment above an operation, which usually describes it. */
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

function documentSummary(
  source: string,
  name: string,
  node: OperationDefinitionNode,
): OperationSummary {
  const isRead = node.operation !== OperationTypeNode.MUTATION;
  const variables = node.variableDefinitions ?? [];
  return {
    id: `${source}.${name}`,
    description: commentAbove(node) || `The ${node.operation} ${name}`,
    effect: isRead ? "read" : "write",
    idempotent: isRead,
    kind: node.operation === OperationTypeNode.SUBSCRIPTION ? "subscription" : "call",
    parameters: variables.map(({ variable }) => variable.name.value),
  };
}

function documentOperation(
  source: string,
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  document: DocumentNode,
  documentId: string | undefined,
): GraphqlOperation {
  const name = node.name?.value ?? "";
  const summary = documentSummary(source, name, node);
  return {
    summary,
    request: (variables) => ({
      operationName: name,
      document: print(document),
      variables,
      ...(documentId !== undefined && { documentId }),
    }),
    spec: () => ({
      ...summary,
      inputSchema: inputSchema(schema, node),
      outputSchema: outputSchema(schema, document, node),
    }),
  };
}

/** A document from a file, with the id under which the endpoint has stored it. */
interface GivenDocument {
  readonly text: string;
  readonly documentId?: string;
}

/** Reads a JSON file of a build tool, which lists the documents of a program by their ids. */
function documentsIn(text: string): GivenDocument[] {
  if (!text.trimStart().startsWith("{")) return [{ text }];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ text }];
  }
  return Object.entries(value as object).map(([documentId, document]) => ({
    documentId,
    text: String(document),
  }));
}

/**
 * The named operations of a file. An operation that does not match the schema is reported and not
 * offered.
 */
export function* documentOperations(
  source: string,
  schema: GraphQLSchema,
  file: string,
  report: Report,
): Generator<GraphqlOperation> {
  for (const { text, documentId } of documentsIn(file)) {
    const separate = separateOperations(parseDocument(text));
    for (const [name, document] of Object.entries(separate)) {
      const node = document.definitions.find(isOperation);
      if (node === undefined) continue;
      const unnamed = `it has no name; write one after "${node.operation}"`;
      const problem = name === "" ? unnamed : documentProblem(schema, document);
      if (problem === undefined)
        yield documentOperation(source, schema, node, document, documentId);
      else report(`${source}.${name || node.operation}`, problem);
    }
  }
}
