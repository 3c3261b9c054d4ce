import type { Mapping } from "./card.ts";
import { isKeys } from "./mapping/index.ts";
import type { MappingReader, PreparedMapping } from "./mapping/index.ts";
import type { CardDocuments, PreparedDocument } from "./prepared-document.ts";
import type { PreparedGraphql } from "./prepared.ts";

/** The context for reading the parts of a card. */
export interface Reading {
  readonly reader: MappingReader;
  /** The parsed documents. Undefined while only the card itself is checked. */
  readonly documents: CardDocuments | undefined;
}

const UNREAD: PreparedDocument = { operationName: "", kind: "query", text: "", variables: [] };

/** By default a variable takes the input with the same name. */
function sameNames(document: PreparedDocument): PreparedMapping {
  const fields = document.variables.map(({ name }) => [name, [name]] as const);
  return { is: "object", fields };
}

function checkVariables(
  reader: MappingReader,
  document: PreparedDocument,
  variables: PreparedMapping,
  pointer: string,
): void {
  if (isKeys(variables) || variables.is !== "object") return;
  const given = new Set(variables.fields.map(([name]) => name));
  const known = new Set(document.variables.map(({ name }) => name));
  for (const name of given) {
    if (!known.has(name))
      reader.refuse(`${pointer}/${name}`, `is not a variable of ${document.operationName}`);
  }
  for (const { name, required } of document.variables) {
    if (required && !given.has(name))
      reader.refuse(pointer, `must set $${name}, which the document requires`);
  }
}

function documentNamed(
  { reader, documents }: Reading,
  name: string,
  pointer: string,
): PreparedDocument | undefined {
  if (documents === undefined) return undefined;
  if (Object.hasOwn(documents, name)) return documents[name];
  reader.refuse(pointer, `there is no document "${name}"`);
  return undefined;
}

/** Reads the request of a GraphQL part or lookup. */
export function readQuery(
  reading: Reading,
  named: { readonly name: string; readonly pointer: string },
  variables: Mapping | undefined,
  pointer: string,
): Pick<PreparedGraphql, "kind" | "document" | "variables"> {
  const document = documentNamed(reading, named.name, named.pointer);
  const read = variables === undefined ? undefined : reading.reader.read(variables, pointer);
  if (document !== undefined && read !== undefined) {
    checkVariables(reading.reader, document, read, pointer);
  }
  const known = document ?? UNREAD;
  return { kind: "graphql", document: known, variables: read ?? sameNames(known) };
}
