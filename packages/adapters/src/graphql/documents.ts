// Prepares GraphQL documents when cards are generated or read from files. This needs the
// `graphql` package. The code that merges documents at run time, in documents-merge.ts, does
// not.
import {
  GraphQLError,
  Kind,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  OperationTypeNode,
  UniqueArgumentNamesRule,
  UniqueFragmentNamesRule,
  UniqueVariableNamesRule,
  buildSchema,
  parse,
  print,
  stripIgnoredCharacters,
  validate,
} from "graphql";
import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from "graphql";
import type { PreparedDocument } from "@waybill/core/cards";
import { nodeTerms } from "./documents-nodes.ts";
import { documentTemplate } from "./documents-template.ts";

/** An error in a document, with its line. */
export class DocumentError extends TypeError {
  override readonly name = "DocumentError";
  readonly line: number | undefined;

  constructor(message: string, line: number | undefined) {
    super(message);
    this.line = line;
  }
}

const MAX_DOCUMENT_LENGTH = 200_000;
const MAX_TOKENS = 20_000;

/** The validation rules that need no schema. */
const RULES = [
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  UniqueArgumentNamesRule,
  UniqueFragmentNamesRule,
  UniqueVariableNamesRule,
];

const NO_SCHEMA = buildSchema("type Query { any: String }", { assumeValid: true });

function documentError(error: unknown): DocumentError {
  if (!(error instanceof GraphQLError)) return new DocumentError(String(error), undefined);
  return new DocumentError(error.message, error.locations?.[0]?.line);
}

function parseDocument(source: string): DocumentNode {
  if (source.length > MAX_DOCUMENT_LENGTH) {
    throw new DocumentError(
      `is longer than ${MAX_DOCUMENT_LENGTH} characters; split it`,
      undefined,
    );
  }
  try {
    return parse(source, { maxTokens: MAX_TOKENS });
  } catch (error) {
    throw documentError(error);
  }
}

function singleOperation(
  document: DocumentNode,
): OperationDefinitionNode & { name: { value: string } } {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    throw new DocumentError("must contain exactly one operation", undefined);
  }
  const line = operation.loc?.startToken.line;
  if (operation.name === undefined) throw new DocumentError("the operation needs a name", line);
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
    throw new DocumentError("a card calls a query or a mutation, not a subscription", line);
  }
  return { ...operation, name: operation.name };
}

function checkDocument(document: DocumentNode): void {
  const stray = document.definitions.find(
    ({ kind }) => kind !== Kind.OPERATION_DEFINITION && kind !== Kind.FRAGMENT_DEFINITION,
  );
  if (stray !== undefined) {
    throw new DocumentError(
      "may contain only operations and fragments",
      stray.loc?.startToken.line,
    );
  }
  const [problem] = validate(NO_SCHEMA, document, RULES);
  if (problem !== undefined) throw documentError(problem);
}

/**
 * The names of the fields from the root, as long as each is the only selected field:
 * `repository`, `issue`.
 */
export function objectPath(text: string): string[] {
  const path: string[] = [];
  let selections = singleOperation(parseDocument(text)).selectionSet.selections;
  for (;;) {
    const [only, ...others] = selections;
    if (only?.kind !== Kind.FIELD || others.length > 0 || only.selectionSet === undefined) {
      return path;
    }
    path.push((only.alias ?? only.name).value);
    selections = only.selectionSet.selections;
  }
}

/** Checks a document and prints it in the forms that are sent. Throws a DocumentError. */
export function prepareDocument(source: string): PreparedDocument {
  const document = parseDocument(source);
  const operation = singleOperation(document);
  checkDocument(document);
  const fragments = document.definitions.filter(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const template = documentTemplate(operation, fragments);
  const nodes = nodeTerms(operation, fragments);
  return {
    operationName: operation.name.value,
    kind: operation.operation === OperationTypeNode.MUTATION ? "mutation" : "query",
    text: stripIgnoredCharacters(print(document)),
    variables: (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => ({
      name: variable.name.value,
      required: type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined,
    })),
    ...(nodes.length === 0 ? {} : { nodes }),
    ...(template === undefined ? {} : { template }),
  };
}
