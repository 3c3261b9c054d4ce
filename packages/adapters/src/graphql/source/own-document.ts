// Operations whose caller writes the document.
import { fail } from "@waybill/core";
import type { OperationSummary } from "@waybill/core";
import { getOperationAST, Kind, OperationTypeNode } from "graphql";
import type { GraphQLSchema } from "graphql";
import type { GraphqlOperation, OwnRequest } from "./graphql-operation.ts";
import { OWN_DOCUMENT_INPUT } from "./own-document-input.ts";
import { readDocument } from "./own-selection.ts";

/** Each kind of document has its own id, because policy uses the effect of an id. */
const IDS: Readonly<Record<OperationTypeNode, string>> = {
  query: "graphql",
  mutation: "graphql.mutate",
  subscription: "graphql.subscribe",
};

function summarise(source: string, kind: OperationTypeNode): OperationSummary {
  const isWrite = kind === OperationTypeNode.MUTATION;
  return {
    id: `${source}.${IDS[kind]}`,
    description: `Run your own GraphQL ${kind}`,
    effect: isWrite ? "write" : "read",
    idempotent: !isWrite,
    kind: kind === OperationTypeNode.SUBSCRIPTION ? "subscription" : "call",
    parameters: Object.keys(OWN_DOCUMENT_INPUT.properties),
    exposed: false,
    raw: true,
  };
}

function invalidDocument(message: string, more: object = {}): never {
  throw fail("VALIDATION", message, { outcome: "not_applied", ...more });
}

/** Parses a document. Refuses a query in the operation for mutations, and the other way round. */
function readRequest(
  source: string,
  kind: OperationTypeNode,
  schema: GraphQLSchema,
  params: Readonly<Record<string, unknown>>,
): OwnRequest {
  const { document, variables = {}, operationName } = params as Partial<OwnRequest>;
  const parsed = readDocument(schema, String(document));
  const node = getOperationAST(parsed, operationName);
  if (!node) {
    const names = parsed.definitions.flatMap((each) =>
      each.kind === Kind.OPERATION_DEFINITION && each.name ? [each.name.value] : [],
    );
    return invalidDocument("operationName must say which operation of the document to run", {
      allowed: names,
    });
  }
  if (node.operation === kind) {
    return { operationName: node.name?.value, document: String(document), variables };
  }
  const right = `${source}.${IDS[node.operation]}`;
  return invalidDocument(
    `This document is a ${node.operation}; call ${right} with the same input`,
    {
      did_you_mean: [right],
    },
  );
}

/**
 * One operation for each kind of document that the schema supports. They are raw operations, which
 * a policy with rules must list under `raw`.
 */
export function* ownDocumentOperations(
  source: string,
  schema: GraphQLSchema,
): Generator<GraphqlOperation> {
  for (const kind of Object.values(OperationTypeNode)) {
    if (Object.keys(schema.getRootType(kind)?.getFields() ?? {}).length === 0) continue;
    const summary = summarise(source, kind);
    yield {
      summary,
      spec: () => ({ ...summary, inputSchema: OWN_DOCUMENT_INPUT, outputSchema: true }),
      request: (params) => readRequest(source, kind, schema, params),
    };
  }
}
