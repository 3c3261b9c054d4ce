import { fail } from "@waybill/core";
import { isRecord } from "@waybill/core/schema";
import type { CallError, Effect } from "@waybill/core";
import { Kind, OperationTypeNode, parse } from "graphql";
import type {
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from "graphql";
import type { Params } from "./reading.ts";

const MAX_TOKENS = 20_000;
/** Prefixes of mutations that cannot be undone. */
const DESTRUCTIVE = /^(?:delete|remove|revoke|transfer|archive|clear|dismiss|disable|block)/u;

/** One operation of a document: its name, its effect and its number of root fields. */
export interface JudgedDocument {
  readonly operationName: string | undefined;
  readonly effect: Effect;
  readonly rootFields: number;
}

function refuseDocument(message: string): CallError {
  return fail("VALIDATION", message, {
    outcome: "not_applied",
    issues: [{ path: "/document", message }],
  });
}

function readDocument(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: MAX_TOKENS });
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw refuseDocument(`The document cannot be read: ${message}`);
  }
}

function chosenOperation(
  { definitions }: DocumentNode,
  operationName: unknown,
): OperationDefinitionNode {
  const all = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const names = all.map(({ name }) => name?.value ?? "(without a name)").join(", ");
  const found =
    operationName === undefined && all.length === 1
      ? all[0]
      : all.find(({ name }) => name?.value === operationName);
  if (found !== undefined) return found;
  throw refuseDocument(
    `Name one operation of the document in operationName; it has ${names || "none"}`,
  );
}

/** The root fields of an operation, including those of fragments. */
function rootFields(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return rootFields(selection.selectionSet, fragments, seen);
    const name = selection.name.value;
    const fragment = seen.has(name) ? undefined : fragments.get(name);
    return fragment === undefined
      ? []
      : rootFields(fragment.selectionSet, fragments, new Set([...seen, name]));
  });
}

function judgeEffect(operation: OperationTypeNode, fields: readonly string[]): Effect {
  if (operation === OperationTypeNode.QUERY) return "read";
  return fields.some((name) => DESTRUCTIVE.test(name)) ? "destructive" : "write";
}

/** Parses a document to find out whether it reads, writes or destroys. */
export function judgeDocument({
  document: text,
  operationName,
  variables,
}: Params): JudgedDocument {
  if (typeof text !== "string")
    throw refuseDocument("document must be a GraphQL document as a string");
  if (variables !== undefined && !isRecord(variables)) {
    throw fail("VALIDATION", 'variables must be an object, such as {"number": 7}', {
      outcome: "not_applied",
    });
  }
  const document = readDocument(text);
  const { operation, selectionSet, name } = chosenOperation(document, operationName);
  if (operation === OperationTypeNode.SUBSCRIPTION) {
    throw refuseDocument("GitHub has no GraphQL subscriptions; send a query");
  }
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const fields = rootFields(selectionSet, new Map(fragments.map((one) => [one.name.value, one])));
  return {
    operationName: name?.value,
    effect: judgeEffect(operation, fields),
    rootFields: fields.length,
  };
}
