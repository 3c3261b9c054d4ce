import { operationNames } from "./operation-names.ts";
import { keysOf, refOf } from "./references.ts";
import type { SpecDocument } from "./spec-document.ts";

/** Where an operation stands in its description. */
export interface OperationPlace {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The keys of the path item, past a reference. */
  readonly item: readonly string[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const MAX_OPERATIONS = 100_000;

/** A path may stand elsewhere in the document; its operations are then read there. */
function itemKeys(document: SpecDocument, path: string): readonly string[] {
  const keys = ["paths", path];
  if (!document.names(keys).includes("$ref")) return keys;
  const ref = refOf({ $ref: document.at([...keys, "$ref"]) });
  return (ref === undefined ? undefined : keysOf(ref)) ?? keys;
}

function textAt(document: SpecDocument, keys: readonly string[]): string | undefined {
  const value = document.at(keys);
  return typeof value === "string" ? value : undefined;
}

/** Every operation, in the order of the description; nothing else of them is read. */
export function operationIndex(document: SpecDocument, source: string): OperationPlace[] {
  const found: (Omit<OperationPlace, "name"> & { operationId: string | undefined })[] = [];
  for (const path of document.names(["paths"])) {
    // Extensions stand among the paths; a path that forgot its slash is still one.
    if (path.startsWith("x-")) continue;
    const item = itemKeys(document, path);
    for (const method of document.names(item)) {
      if (!METHODS.includes(method) || found.length >= MAX_OPERATIONS) continue;
      const operationId = textAt(document, [...item, method, "operationId"]);
      found.push({ method, path, item, operationId });
    }
  }
  const names = operationNames(source, found);
  return found.map(({ method, path, item }, index) => ({
    name: names[index]!,
    method,
    path,
    item,
  }));
}
