import { CallError, isRecord, parseExactJson } from "../envelope/index.ts";
import type { Issue } from "../envelope/index.ts";
import type { OperationSpec } from "../operation/index.ts";
import type { Entry, Schemas } from "./entry.ts";
import { normalise, pointerKey, unknownInnerNames } from "../schema/index.ts";
import type { CompiledSchema } from "../schema/index.ts";

/** The first issues in one line, for clients that show only the message. */
function summary(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => `${path || "input"} ${message}`);
  const more = issues.length > shown.length ? `, and ${issues.length - shown.length} more` : "";
  return shown.join("; ") + more;
}

export function invalidInput(id: string, issues: readonly Issue[]): CallError {
  const message = `Invalid input for ${id}: ${summary(issues)}`;
  return new CallError("VALIDATION_ERROR", message, { issues, outcome: "not_applied" });
}

/** Whether a value is valid because its operation accepts strings of digits as integers. */
function fitsWithDigits(schema: CompiledSchema, value: unknown): boolean {
  if (!schema.takesDigits) return false;
  const { value: numbers, changes } = normalise(schema.schema, value, { digits: "number" });
  return changes.length > 0 && schema.check(numbers);
}

/**
 * The undeclared names in the objects of an input. If the description may be incomplete, they
 * are allowed.
 */
export function innerIssues({ names, spec }: Entry, input: unknown): readonly Issue[] {
  const isLoose = spec.looseInput === true || spec.checkedElsewhere === true;
  if (names?.inner === undefined || isLoose) return [];
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

/** Decodes strings, because agents and command lines often send JSON and lists as strings. */
function readInput({ schema, takesDigits }: CompiledSchema, input: unknown) {
  const options = { defaults: true, decode: true, lists: true, keepDigits: takesDigits };
  return normalise(schema, input, options);
}

function readObjectText(text: unknown): unknown {
  if (typeof text !== "string" || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    return parseExactJson(text).value;
  } catch {
    return undefined;
  }
}

/**
 * Reads refused strings that are objects or lists in JSON. A schema with branches or conditions may
 * not show that it wants one. Undefined if there is none.
 */
function withReadStrings(input: unknown, issues: readonly Issue[]): object | undefined {
  if (!isRecord(input)) return undefined;
  const refused = new Set(issues.map(({ path }) => path));
  const read = Object.keys(input)
    .filter((name) => refused.has("") || refused.has(pointerKey(name)))
    .map((name) => [name, readObjectText(input[name])] as const)
    .filter(([, value]) => value !== undefined);
  return read.length === 0 ? undefined : { ...input, ...Object.fromEntries(read) };
}

/** The refused input with its strings read as JSON. Throws if it is refused again. */
function readAgain(entry: Entry, schema: CompiledSchema, value: unknown): unknown {
  const issues = schema.issues(value);
  const decoded = withReadStrings(value, issues);
  if (decoded === undefined) {
    throw invalidInput(entry.id, joinedIssues(innerIssues(entry, value), issues));
  }
  const { value: read } = readInput(schema, decoded);
  if (schema.check(read) || fitsWithDigits(schema, read)) return withKnownNames(entry, read);
  // The issues are those of the decoded value, so that a list names its wrong item.
  throw invalidInput(entry.id, joinedIssues(innerIssues(entry, read), schema.issues(read)));
}

/**
 * Returns the input in the form that the handler gets. Throws a VALIDATION_ERROR that names
 * every problem.
 */
function checkInput(entry: Entry, schema: CompiledSchema | undefined, given: unknown): unknown {
  const input = given === undefined ? {} : given;
  if (schema === undefined) return input;
  if (schema.check(input)) {
    if (entry.names?.inner !== undefined) withKnownNames(entry, input);
    return schema.traits.hasDefaults
      ? normalise(schema.schema, input, { defaults: true }).value
      : input;
  }
  const { value, changes } = readInput(schema, input);
  const isRead = changes.length > 0 && schema.check(value);
  if (isRead || fitsWithDigits(schema, value)) return withKnownNames(entry, value);
  if (entry.spec.checkedElsewhere === true) return input;
  return readAgain(entry, schema, value);
}

/** Adds allowed values and near names, which only the JSON Schema has, to the library's issues. */
function withHints(issues: readonly Issue[], known: readonly Issue[]): Issue[] {
  return issues.map((issue) => {
    const hint = known.find(({ path, allowed }) => path === issue.path && allowed !== undefined);
    return hint === undefined ? issue : { ...hint, message: issue.message };
  });
}

/**
 * Like `checkInput`, but with the schema's own library. If an input is refused, JSON strings in
 * it are decoded and it is checked again.
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

/**
 * Returns the validated params. The result is a promise only if a schema library validates them.
 */
export function checkParams(entry: Entry, schemas: Schemas, named: unknown): unknown {
  const parse = entry.spec.parseInput;
  return parse === undefined
    ? checkInput(entry, schemas.input, named)
    : parseInput(entry, parse, named, schemas.input);
}

/** A warning for each undeclared name that is allowed because the description may be incomplete. */
export function looseNames({ names, spec }: Entry, input: unknown): readonly string[] {
  if (names?.inner === undefined || spec.looseInput !== true) return [];
  return unknownInnerNames(names.inner, input).map(({ path, did_you_mean }) => {
    const near = did_you_mean === undefined ? "" : `; did you mean ${did_you_mean}?`;
    return `${path} was sent, but ${spec.id} declares no such input${near}`;
  });
}
