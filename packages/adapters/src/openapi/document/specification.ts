import { isRecord } from "@waybill/core/schema";
import type { SpecDocument } from "./spec-document.ts";
import { SchemaRegistry } from "./schema-registry.ts";
import { textOr } from "./raw.ts";
import { SpecProblem } from "./references.ts";

/** One description, with data that is computed once. */
export interface Specification {
  readonly document: SpecDocument;
  /** Whether this is Swagger 2.0, which has the same data at other positions. */
  readonly isSwagger: boolean;
  /** The URL from which the description was read. Relative references are resolved against it. */
  readonly baseUrl: string | undefined;
  readonly inputs: SchemaRegistry;
  readonly outputs: SchemaRegistry;
}

function specificationVersion(document: SpecDocument): { isSwagger: boolean; isLegacy: boolean } {
  const openapi = document.at(["openapi"]);
  const swagger = document.at(["swagger"]);
  if (/^3\.0\b/u.test(String(openapi))) return { isSwagger: false, isLegacy: true };
  if (/^3\.\d+/u.test(String(openapi))) return { isSwagger: false, isLegacy: false };
  if (/^2(?:\.|$)/u.test(String(swagger))) return { isSwagger: true, isLegacy: true };
  const found = openapi ?? swagger;
  throw new SpecProblem(
    found === undefined
      ? 'it has no "openapi" or "swagger" version, so it is not an API description; pass the address of an OpenAPI document'
      : `its version is ${textOr(found, "another kind").slice(0, 20)}, but only 2.0, 3.0, 3.1 and 3.2 are supported`,
  );
}

/** Throws a SpecProblem if this is not a description of a supported version. */
export function assertDescription(document: SpecDocument): void {
  specificationVersion(document);
  if (!isRecord(document.at(["info"])) && document.names(["paths"]).length === 0) {
    throw new SpecProblem("it describes no paths, so there is nothing to call");
  }
}

export function readSpecification(
  document: SpecDocument,
  baseUrl: string | undefined,
): Specification {
  assertDescription(document);
  const { isSwagger, isLegacy } = specificationVersion(document);
  return {
    document,
    isSwagger,
    baseUrl,
    inputs: new SchemaRegistry(document, isLegacy, "input"),
    outputs: new SchemaRegistry(document, isLegacy, "output"),
  };
}
