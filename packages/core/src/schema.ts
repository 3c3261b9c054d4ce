// For users of JSON Schema and JSON. Every exported name is stable.
export {
  ResultEnvelopeSchema,
  ResultErrorSchema,
  ResultMetaSchema,
  ToolEnvelopeSchema,
  exactIntegersMeta,
  isRecord,
  markIntegers,
  parseExactJson,
  parseStrictJson,
  toJson,
  unmarkIntegers,
  unmarkText,
  unquoteDigits,
} from "./envelope/index.ts";
export type { ExactJson, JsonSchemaObject, StrictJsonOptions } from "./envelope/index.ts";
export {
  SchemaCache,
  describeInputs,
  exactJsonFor,
  inputNames,
  loadChecker,
  markDigits,
  nearestNames,
  normalise,
  projectSchema,
  uncheckedPatterns,
} from "./schema/index.ts";
export type {
  Checker,
  CompileOptions,
  CompiledSchema,
  DescribeOptions,
  DescribedInputs,
  NormaliseOptions,
  Normalised,
  Parsed,
  ProjectedSchema,
  SchemaCacheOptions,
} from "./schema/index.ts";
export type { AnySchema } from "./operation/index.ts";
