import { errorFromUnknown } from "@waybill/core";
import type { SourceProblem } from "@waybill/core";
import type { GraphQLSchema } from "graphql";
import { documentOperations } from "./document-operations.ts";
import { fieldOperations } from "./field-operations.ts";
import type { GraphqlOperation } from "./graphql-operation.ts";
import { ownDocumentOperations } from "./own-document.ts";
import { readSchema } from "./read-schema.ts";
import type { SelectionLimits } from "./default-selection.ts";

export interface Catalog {
  readonly operations: readonly GraphqlOperation[];
  readonly problems: readonly SourceProblem[];
}

export interface CatalogOptions {
  readonly name: string;
  /** The schema, as SDL or introspection JSON. */
  readonly schema: string;
  readonly documents?: readonly string[] | undefined;
  readonly limits: SelectionLimits;
}

function* allOperations(
  schema: GraphQLSchema,
  { name, documents, limits }: CatalogOptions,
  report: (operationId: string, message: string) => void,
): Generator<GraphqlOperation> {
  if (documents === undefined) {
    yield* fieldOperations(name, schema, limits);
    yield* ownDocumentOperations(name, schema);
  }
  for (const [place, text] of (documents ?? []).entries()) {
    try {
      yield* documentOperations(name, schema, text, report);
    } catch (thrown) {
      report(`${name}.document${place + 1}`, errorFromUnknown(thrown).message);
    }
  }
}

/** The operations of an endpoint: one per document or, without documents, one per root field. */
export function readCatalog(options: CatalogOptions): Catalog {
  const problems: SourceProblem[] = [];
  const report = (operationId: string, message: string): void => {
    problems.push({ source: options.name, operationId, message });
  };
  const operations = [...allOperations(readSchema(options.schema), options, report)];
  return { operations, problems };
}
