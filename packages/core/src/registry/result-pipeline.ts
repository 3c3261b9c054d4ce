import {
  exactIntegersMeta,
  isRecord,
  isResponseEnvelope,
  localEnvelope,
  merge,
} from "../envelope/index.ts";
import type { Change, Issue, PipelineMeta, ResponseEnvelope } from "../envelope/index.ts";
import { TOO_LARGE_TO_CHECK } from "../pattern/index.ts";
import { normalise } from "../schema/index.ts";
import type { CompiledSchema } from "../schema/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { Schemas } from "./entry.ts";

const STRIP_ALL = { strip: "all", defaults: true, decode: false } as const;
const FILL = { strip: "none", defaults: true, decode: false } as const;
const CLEAN = { strip: "closed", defaults: true, decode: true } as const;
const CLEAN_ALL = { strip: "all", defaults: true, decode: true } as const;

function issueLine(issues: readonly Issue[]): string {
  const first = issues.slice(0, 3);
  return first.map(({ path, message }) => `${path || "output"} ${message}`).join("; ");
}

interface Finding extends PipelineMeta {
  data: unknown;
}

/**
 * Fills in defaults and removes undeclared members from a valid value, if the operation wants
 * that.
 */
function tidy(schema: CompiledSchema, data: unknown, strip: boolean): Finding {
  const { value, changes } = normalise(schema.schema, data, strip ? STRIP_ALL : FILL);
  return changes.length > 0
    ? { data: value, conformance: "exact", changes }
    : { data, conformance: "exact" };
}

/** Finds strings of digits where the schema requires integers, if the value is valid otherwise. */
function withDigits(schema: CompiledSchema, data: unknown): readonly Change[] | undefined {
  const { value, changes } = normalise(schema.schema, data, { digits: "number" });
  return changes.length > 0 && schema.check(value) ? changes : undefined;
}

/** Cleans an invalid value and checks it again. Missing required values are not filled in. */
function repair(schema: CompiledSchema, data: unknown, strip: boolean): Finding {
  const { value, changes } = normalise(schema.schema, data, strip ? CLEAN_ALL : CLEAN);
  if (changes.length > 0 && schema.check(value)) {
    return { data: value, conformance: "normalised", changes };
  }
  const digits = withDigits(schema, value);
  if (digits !== undefined)
    return { data: value, conformance: "normalised", changes: [...changes, ...digits] };
  const issues = schema.issues(data);
  if (issues[0]?.message === TOO_LARGE_TO_CHECK) {
    return { data, warnings: [`The output was not checked: it ${TOO_LARGE_TO_CHECK}`] };
  }
  const warning = `The output does not match its schema: ${issueLine(issues)}`;
  return { data, conformance: "violated", warnings: [warning] };
}

function compareWithSchema(schema: CompiledSchema, raw: unknown, strip: boolean): Finding {
  const data = raw === undefined ? null : raw;
  if (!schema.check(data)) return repair(schema, data, strip);
  return strip || schema.traits.hasDefaults
    ? tidy(schema, data, strip)
    : { data: raw, conformance: "exact" };
}

/** Whether a tool reported an error. Such an answer need not match the declared output. */
function isErrorReport(envelope: ResponseEnvelope): boolean {
  return envelope.meta.source === "mcp" && envelope.meta.isError;
}

function concatenated<T>(own: readonly T[] | undefined, found: readonly T[]): readonly T[] {
  return own === undefined ? found : [...own, ...found];
}

/** The parts of both schemas that could not be checked. */
export function uncheckedIn({ input, output, outputProblem }: Schemas): string[] {
  const problems = outputProblem === undefined ? [] : [outputProblem];
  for (const sentence of input?.skipped ?? []) problems.push(`Input: ${sentence}`);
  for (const sentence of output?.skipped ?? []) problems.push(`Output: ${sentence}`);
  return problems;
}

/** Removes duplicates, because the answer and its schema may report the same change. */
function mergedChanges(
  own: readonly Change[] | undefined,
  found: readonly Change[],
): readonly Change[] {
  const known = new Set(own?.map(({ path, edit }) => `${edit} ${path}`));
  return concatenated(
    own,
    found.filter(({ path, edit }) => !known.has(`${edit} ${path}`)),
  );
}

/**
 * Reports strings of digits that the schema declares as integers, if the route did not report
 * them. After a mapping, only the schema knows their positions.
 */
function untoldDigits({ meta }: ResponseEnvelope, found: PipelineMeta): PipelineMeta {
  const isTold = meta.changes?.some(({ edit }) => edit === "exact");
  const places = found.changes?.filter(({ edit }) => edit === "exact") ?? [];
  if (isTold === true || places.length === 0) return {};
  const { warnings = [] } = exactIntegersMeta(places.map(({ path }) => path));
  return { warnings: concatenated(meta.warnings, warnings) };
}

function withProblems(envelope: ResponseEnvelope, schemas: Schemas): ResponseEnvelope {
  const problems = uncheckedIn(schemas);
  if (problems.length === 0) return envelope;
  const warnings = concatenated(envelope.meta.warnings, problems);
  return { data: envelope.data, meta: { ...envelope.meta, warnings } };
}

function normalised({ normaliseOutput }: OperationSpec, given: unknown): unknown {
  const isEnvelope = isRecord(given) && "meta" in given && isResponseEnvelope(given);
  return isEnvelope ? { ...given, data: normaliseOutput?.(given.data) } : normaliseOutput?.(given);
}

/**
 * Converts the return value of a handler to an envelope: wraps a plain value, validates it,
 * normalises it by its schema, and reports the changes.
 */
export function toEnvelope(
  spec: OperationSpec,
  schemas: Schemas,
  given: unknown,
): ResponseEnvelope {
  const result = spec.normaliseOutput === undefined ? given : normalised(spec, given);
  // Checks for `meta` first, because most values have none and the full check is slower.
  const isEnvelope = isRecord(result) && "meta" in result && isResponseEnvelope(result);
  const schema = schemas.output;
  if (schema === undefined) {
    const envelope = isEnvelope ? result : localEnvelope(result, spec.id);
    return withProblems(envelope, schemas);
  }
  if (isEnvelope && isErrorReport(result)) return result;
  if (isEnvelope) return withProblems(checkedEnvelope(spec, schema, result), schemas);
  // Creates the usual envelope directly, because extending an existing one is slower.
  if (schema.check(result) && spec.strip !== true && !schema.traits.hasDefaults) {
    const timestamp = Date.now();
    const meta = {
      source: "local",
      operationId: spec.id,
      timestamp,
      conformance: "exact",
    } as const;
    const envelope = { data: result, meta };
    return schemas.hasSkipped ? withProblems(envelope, schemas) : envelope;
  }
  return withProblems(checkedEnvelope(spec, schema, localEnvelope(result, spec.id)), schemas);
}

/**
 * A new envelope with the results of the check. The original is not changed, because it may
 * belong to the handler.
 */
function checkedEnvelope(
  spec: OperationSpec,
  schema: CompiledSchema,
  envelope: ResponseEnvelope,
): ResponseEnvelope {
  const { data, ...found } = compareWithSchema(schema, envelope.data, spec.strip === true);
  const meta = merge(envelope.meta, { ...found, ...untoldDigits(envelope, found) });
  // If the route decoded text as JSON, the data is `normalised`, because the raw value was changed.
  const isDecoded = envelope.meta.changes?.some(({ edit }) => edit === "decoded");
  if (isDecoded === true && meta.conformance === "exact") meta.conformance = "normalised";
  // Keeps the warnings and changes that the handler added.
  if (found.warnings !== undefined)
    meta.warnings = concatenated(envelope.meta.warnings, found.warnings);
  if (found.changes !== undefined)
    meta.changes = mergedChanges(envelope.meta.changes, found.changes);
  return { data, meta };
}
