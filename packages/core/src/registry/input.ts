import { CallError } from "../envelope/index.ts";
import type { Issue } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { Entry, Schemas } from "./entry.ts";
import { normalise, unknownInnerNames } from "../schema/index.ts";
import type { CompiledSchema } from "../schema/index.ts";

/** The first issues in one line, for readers who see only the message. */
function summary(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => `${path || "input"} ${message}`);
  const more = issues.length > shown.length ? `, and ${issues.length - shown.length} more` : "";
  return shown.join("; ") + more;
}

export function invalidInput(id: string, issues: readonly Issue[]): CallError {
  const message = `Invalid input for ${id}: ${summary(issues)}`;
  return new CallError("VALIDATION_ERROR", message, { issues, outcome: "not_applied" });
}

/** Whether a value is valid if strings of digits count as integers. */
function fitsWithDigits(schema: CompiledSchema, value: unknown): boolean {
  const { value: numbers, changes } = normalise(schema.schema, value, { digits: "number" });
  return changes.length > 0 && schema.check(numbers);
}

/** The undeclared names in the objects of an input. A loose description may lack names. */
export function innerIssues({ names, spec }: Entry, input: unknown): readonly Issue[] {
  if (names?.inner === undefined || spec.looseInput === true) return [];
  return unknownInnerNames(names.inner, input);
}

/** Returns the input, or throws if it has an undeclared name. */
function withKnownNames(entry: Entry, input: unknown): unknown {
  const issues = innerIssues(entry, input);
  if (issues.length > 0) throw invalidInput(entry.id, issues);
  return input;
}

function joinedIssues(some: readonly Issue[], others: readonly Issue[]): Issue[] {
  const known = new Set(some.map(({ path }) => path));
  return [...some, ...others.filter(({ path }) => !known.has(path))];
}

/** Decodes text, because agents and command lines often send JSON and lists as strings. */
const READ = { defaults: true, decode: true, lists: true } as const;

/** The input as the handler gets it. Throws a VALIDATION_ERROR that names every problem. */
function checkInput(entry: Entry, schema: CompiledSchema | undefined, given: unknown): unknown {
  const input = given === undefined ? {} : given;
  if (schema === undefined) return input;
  if (schema.check(input)) {
    if (entry.names?.inner !== undefined) withKnownNames(entry, input);
    return schema.traits.hasDefaults
      ? normalise(schema.schema, input, { defaults: true }).value
      : input;
  }
  const { value, changes } = normalise(schema.schema, input, READ);
  const isRead = changes.length > 0 && schema.check(value);
  if (isRead || (schema.takesDigits && fitsWithDigits(schema, value))) {
    return withKnownNames(entry, value);
  }
  // The issues are those of the decoded value, so that a list names its wrong item.
  throw invalidInput(entry.id, joinedIssues(innerIssues(entry, value), schema.issues(value)));
}

/** Adds allowed values and near names, which only the JSON Schema has, to the library's issues. */
function withHints(issues: readonly Issue[], known: readonly Issue[]): Issue[] {
  return issues.map((issue) => {
    const hint = known.find(({ path, allowed }) => path === issue.path && allowed !== undefined);
    return hint === undefined ? issue : { ...hint, message: issue.message };
  });
}

/**
 * Like `checkInput`, but with the schema's own library. A refused input is tried again with JSON
 * strings decoded.
 */
async function parseInput(
  entry: Entry,
  parse: NonNullable<OperationSpec["parseInput"]>,
  given: unknown,
  schema: CompiledSchema | undefined,
): Promise<unknown> {
  const input = given === undefined ? {} : given;
  const parsed = await parse(input);
  if (parsed.issues === undefined) {
    withKnownNames(entry, input);
    return parsed.value;
  }
  if (schema === undefined) throw invalidInput(entry.id, parsed.issues);
  const { value, changes } = normalise(schema.schema, input, { decode: true, lists: true });
  const again = changes.length === 0 ? parsed : await parse(value);
  const unknown = innerIssues(entry, value);
  if (again.issues === undefined && unknown.length === 0) return again.value;
  const known = schema.check(input) ? [] : schema.issues(input);
  const issues = again.issues === undefined ? [] : parsed.issues;
  throw invalidInput(entry.id, joinedIssues(unknown, withHints(issues, known)));
}

/** The validated params. A promise only if a schema library validates them. */
export function checkParams(entry: Entry, schemas: Schemas, named: unknown): unknown {
  const parse = entry.spec.parseInput;
  return parse === undefined
    ? checkInput(entry, schemas.input, named)
    : parseInput(entry, parse, named, schemas.input);
}

/** A warning for each undeclared name that a loose description allows. */
export function looseNames({ names, spec }: Entry, input: unknown): readonly string[] {
  if (names?.inner === undefined || spec.looseInput !== true) return [];
  return unknownInnerNames(names.inner, input).map(({ path, did_you_mean }) => {
    const near = did_you_mean === undefined ? "" : `; did you mean ${did_you_mean}?`;
    return `${path} was sent, but ${spec.id} declares no such input${near}`;
  });
}
