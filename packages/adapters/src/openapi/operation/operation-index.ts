import { isRecord } from "@waybill/core/schema";
import { operationNames } from "./operation-names.ts";
import { findKeys, findRef } from "../document/references.ts";
import type { SpecDocument } from "../document/spec-document.ts";

/** The position of an operation in its description. */
export interface OperationLocation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The keys of the path item in the document, after references are resolved. */
  readonly item: readonly string[];
  /** Whether the method is not one of the standard methods of OpenAPI. */
  readonly isAdditional?: true;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
/** The member in which OpenAPI 3.2 has the operations of other methods. */
const ADDITIONAL = "additionalOperations";
const MAX_OPERATIONS = 100_000;
const MAX_PROBLEMS = 100;

/** A path may refer to another position in the document, where its operations are then read. */
function itemKeys(document: SpecDocument, path: string): readonly string[] {
  const keys = ["paths", path];
  if (!document.names(keys).includes("$ref")) return keys;
  const ref = findRef({ $ref: document.at([...keys, "$ref"]) });
  return (ref === undefined ? undefined : findKeys(ref)) ?? keys;
}

function stringAt(document: SpecDocument, keys: readonly string[]): string | undefined {
  const value = document.at(keys);
  return typeof value === "string" ? value : undefined;
}

/** A value with members is an object, so it need not be parsed to know that. */
function isObjectAt(document: SpecDocument, keys: readonly string[]): boolean {
  return document.names(keys).length > 0 || isRecord(document.at(keys));
}

/** Why operations of a path are missing. */
function itemProblem(document: SpecDocument, path: string, item: readonly string[]): string {
  const ref = findRef(document.at(["paths", path]));
  if (ref === undefined) return `the path ${path} is not an object`;
  const end = document.at(item) === undefined ? "nothing" : "a value that is not an object";
  return `the path ${path}: its ${ref.slice(0, 120)} refers to ${end}`;
}

export interface OperationIndex {
  readonly places: readonly OperationLocation[];
  /** Entries beside the operations that are not operations. */
  readonly problems: readonly string[];
}

type Found = Omit<OperationLocation, "name"> & { readonly operationId: string | undefined };

const METHOD_NAME = /^[!#$%&'*+.^_`|~\w-]{1,40}$/u;

/** Searches the paths for operations. */
class Finding {
  readonly found: Found[] = [];
  readonly problems: string[] = [];
  readonly #document: SpecDocument;

  constructor(document: SpecDocument) {
    this.#document = document;
  }

  lookInto(path: string): void {
    const item = itemKeys(this.#document, path);
    if (!isObjectAt(this.#document, item)) this.#tell(itemProblem(this.#document, path, item));
    for (const method of this.#document.names(item)) {
      if (METHODS.includes(method)) this.#take(method, path, item, [...item, method]);
    }
    for (const method of this.#document.names([...item, ADDITIONAL])) {
      if (METHOD_NAME.test(method)) {
        this.#take(method, path, item, [...item, ADDITIONAL, method], true);
      }
    }
  }

  #take(
    method: string,
    path: string,
    item: readonly string[],
    keys: readonly string[],
    isAdditional?: true,
  ): void {
    if (!isObjectAt(this.#document, keys)) {
      this.#tell(`${method.toUpperCase()} ${path} is not an object`);
    } else if (this.found.length < MAX_OPERATIONS) {
      const operationId = stringAt(this.#document, [...keys, "operationId"]);
      const found = { method, path, item, operationId };
      this.found.push(isAdditional === undefined ? found : { ...found, isAdditional });
    }
  }

  #tell(problem: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }
}

/** Lists every operation in the order of the description, without reading its content. */
export function operationIndex(document: SpecDocument, source: string): OperationIndex {
  const finding = new Finding(document);
  // Skips extensions, which are also members of `paths`. A path without a leading slash is
  // accepted.
  const paths = document.names(["paths"]).filter((path) => !path.startsWith("x-"));
  for (const path of paths) finding.lookInto(path);
  const { found, problems } = finding;
  const names = operationNames(source, found);
  const places = found.map(({ operationId: _id, ...place }, index) => ({
    name: names[index]!,
    ...place,
  }));
  return { places, problems };
}
