import type { JsonSchemaObject } from "@waybill/core/schema";
import { MAX_FUNCTIONS } from "../settings/index.ts";
import { DEPENDENCY_TYPES } from "./rule.ts";

const PATHS: JsonSchemaObject = {
  anyOf: [
    { type: "string", minLength: 1, maxLength: 512 },
    { type: "array", minItems: 1, maxItems: 100, items: { type: "string", maxLength: 512 } },
  ],
};
const BOOLEAN: JsonSchemaObject = { type: "boolean" };
const COUNT: JsonSchemaObject = { type: "integer", minimum: 0 };
const TYPES: JsonSchemaObject = { type: "array", items: { enum: DEPENDENCY_TYPES } };
const TEXT: JsonSchemaObject = { type: "string", maxLength: 2_000 };
const SEVERITY: JsonSchemaObject = { enum: ["error", "warning", "info"] };

function closed(
  properties: Record<string, JsonSchemaObject>,
  required: readonly string[] = [],
): JsonSchemaObject {
  return { type: "object", additionalProperties: false, required, properties };
}

const PLACE = { path: PATHS, pathNot: PATHS };
const VIA = { ...PLACE, dependencyTypes: TYPES, dependencyTypesNot: TYPES };
const FROM = closed({ ...PLACE, orphan: BOOLEAN });
const TO = closed({
  ...VIA,
  circular: BOOLEAN,
  via: { anyOf: [PATHS, closed(VIA)] },
  viaOnly: { anyOf: [PATHS, closed(VIA)] },
  viaNot: PATHS,
  viaSomeNot: PATHS,
  license: PATHS,
  licenseNot: PATHS,
  dynamic: BOOLEAN,
  exoticallyRequired: BOOLEAN,
  exoticRequire: PATHS,
  exoticRequireNot: PATHS,
  couldNotResolve: BOOLEAN,
  preCompilationOnly: BOOLEAN,
  moreThanOneDependencyType: BOOLEAN,
  moreUnstable: BOOLEAN,
  ancestor: BOOLEAN,
  reachable: BOOLEAN,
});
const MODULE = closed({
  ...PLACE,
  numberOfDependentsLessThan: COUNT,
  numberOfDependentsMoreThan: COUNT,
});
const NAMED = {
  name: { type: "string", minLength: 1, maxLength: 200 },
  comment: TEXT,
  severity: SEVERITY,
};

function arraySchema(items: JsonSchemaObject): JsonSchemaObject {
  return { type: "array", maxItems: 500, items };
}

/** The schema of `.waybill/graph/layers.json`. */
export const LayerRulesSchema: JsonSchemaObject = closed({
  $schema: TEXT,
  forbidden: arraySchema(
    closed(
      { ...NAMED, scope: { enum: ["module", "folder"] }, from: FROM, to: TO, module: MODULE },
      ["name"],
    ),
  ),
  allowed: arraySchema(closed({ comment: TEXT, from: FROM, to: TO })),
  allowedSeverity: SEVERITY,
  required: arraySchema(
    closed({ ...NAMED, module: closed(PLACE), to: closed({ ...PLACE, reachable: BOOLEAN }) }, [
      "name",
      "module",
      "to",
    ]),
  ),
  exoticRequireStrings: {
    type: "array",
    maxItems: MAX_FUNCTIONS,
    items: { type: "string", maxLength: 200 },
  },
});
