import type { Issue, JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { declaredNames } from "./declared.ts";
import { nearestNames } from "./nearest.ts";
import { atPointer, isSchema, pointerKey, resolveRef } from "./pointer.ts";

/** One failed keyword, as the checker reports it. */
export interface RawError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const MAX_ISSUES = 16;
const MAX_ALLOWED = 32;
export const DOES_NOT_FIT = "does not match the schema";
const NOT_KNOWN = "is not a known name here";

/** The schema at a path in the checker's notation, which omits the references that it follows. */
function schemaAt(root: JsonSchema, schemaPath: string): JsonSchema | undefined {
  let current: unknown = root;
  for (const key of schemaPath.split("/").slice(1)) {
    const target = isSchema(current) ? resolveRef(root, current) : current;
    current = atPointer(current, `/${key}`) ?? atPointer(target, `/${key}`);
  }
  return isSchema(current) ? current : undefined;
}

function names(params: object, key: string): string[] {
  const list: unknown = Reflect.get(params, key);
  return Array.isArray(list) ? list.map(String) : [];
}

function missingIssue(root: JsonSchema, error: RawError, name: string): Issue {
  const path = error.instancePath + pointerKey(name);
  const property = schemaAt(root, `${error.schemaPath}/properties${pointerKey(name)}`);
  const schema = property === undefined ? undefined : resolveRef(root, property);
  const allowed = isRecord(schema) && Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  const issue: Issue = { path, message: "is required", missing: true };
  return allowed === undefined ? issue : { ...issue, allowed: allowed.slice(0, MAX_ALLOWED) };
}

function unknownIssue(error: RawError, name: string, known: readonly string[]): Issue {
  const issue: Issue = {
    path: error.instancePath + pointerKey(name),
    message: NOT_KNOWN,
  };
  const [nearest] = nearestNames(name, known, 1);
  if (nearest !== undefined) return { ...issue, did_you_mean: nearest };
  return known.length === 0 ? issue : { ...issue, allowed: known.slice(0, MAX_ALLOWED) };
}

function unknownIssues(root: JsonSchema, error: RawError, key: string, value: unknown): Issue[] {
  const schema = schemaAt(root, error.schemaPath);
  const known = schema === undefined ? [] : declaredNames(root, schema, value);
  return names(error.params, key)
    .filter((name) => !known.includes(name))
    .map((name) => unknownIssue(error, name, known));
}

function allowedIssue(error: RawError, allowed: readonly unknown[], value: unknown): Issue {
  const issue: Issue = {
    path: error.instancePath,
    message: "must be one of the allowed values",
    allowed: allowed.slice(0, MAX_ALLOWED),
  };
  const texts = allowed.filter((item): item is string => typeof item === "string");
  const [nearest] = typeof value === "string" ? nearestNames(value, texts, 1) : [];
  return nearest === undefined ? issue : { ...issue, did_you_mean: nearest };
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** The issues for one raw error. A keyword that only repeats another error has none. */
function errorIssues(root: JsonSchema, error: RawError, input: unknown): Issue[] {
  const value = atPointer(input, error.instancePath);
  switch (error.keyword) {
    case "required":
      return names(error.params, "requiredProperties").map((name) =>
        missingIssue(root, error, name),
      );
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownIssues(root, error, error.keyword, value);
    case "boolean":
      return /\/(additional|unevaluated)Properties$/.test(error.schemaPath)
        ? []
        : [{ path: error.instancePath, message: "is not allowed here" }];
    case "enum":
      return [allowedIssue(error, Reflect.get(error.params, "allowedValues") as unknown[], value)];
    case "const":
      return [allowedIssue(error, [Reflect.get(error.params, "allowedValue")], value)];
    case "type":
      return [{ path: error.instancePath, message: `${error.message}, not ${typeName(value)}` }];
    default:
      return [{ path: error.instancePath, message: error.message }];
  }
}

interface Branch {
  readonly errors: RawError[];
  /**
   * Whether the value was meant as another form of the union. Then the other errors of this form
   * do not help.
   */
  readonly isOtherForm: boolean;
}

/**
 * Whether an error belongs to a union. The value must be the same too, because the items of a
 * list have the same schema path.
 */
function isInsideUnion(union: RawError, { schemaPath, instancePath }: RawError): boolean {
  return (
    schemaPath.startsWith(`${union.schemaPath}/${union.keyword}/`) &&
    `${instancePath}/`.startsWith(`${union.instancePath}/`)
  );
}

function getBranches(union: RawError, errors: readonly RawError[]): Branch[] {
  const prefix = `${union.schemaPath}/${union.keyword}/`;
  const byIndex = new Map<string, RawError[]>();
  for (const error of errors) {
    if (!isInsideUnion(union, error)) continue;
    const index = error.schemaPath.slice(prefix.length).split("/", 1)[0]!;
    byIndex.set(index, [...(byIndex.get(index) ?? []), error]);
  }
  return [...byIndex.values()].map((branch) => ({
    errors: branch,
    isOtherForm: isOtherForm(branch, union.instancePath),
  }));
}

function isUnion({ keyword }: RawError): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

function isConst({ keyword }: RawError): boolean {
  return keyword === "const";
}

/** The errors that do not belong to the error of a union. */
function outermost(errors: readonly RawError[]): RawError[] {
  const unions = errors.filter(isUnion);
  return errors.filter((error) => !unions.some((union) => isInsideUnion(union, error)));
}

/**
 * Whether a value clearly has another form: a constant, the type of the whole value, or every
 * form of an inner union differs.
 */
function isOtherForm(errors: readonly RawError[], place: string): boolean {
  return outermost(errors).some((error) => {
    if (isConst(error)) return true;
    if (error.instancePath !== place) return false;
    const forms = isUnion(error) ? getBranches(error, errors) : [];
    return (
      error.keyword === "type" || (forms.length > 0 && forms.every((form) => form.isOtherForm))
    );
  });
}

/** The values that a keyword accepts. */
function allowedValues({ keyword, params }: RawError): readonly unknown[] {
  if (keyword === "const") return [Reflect.get(params, "allowedValue")];
  return keyword === "enum" ? (Reflect.get(params, "allowedValues") as unknown[]) : [];
}

/** The path of the value that distinguishes the forms: every form has an error there. */
function findDiscriminator(branches: readonly Branch[]): string | undefined {
  if (branches.length < 2) return undefined;
  const [first, ...others] = branches.map(
    ({ errors }) =>
      new Set(
        errors.filter((error) => allowedValues(error).length > 0).map((one) => one.instancePath),
      ),
  );
  return [...first!].find((place) => others.every((places) => places.has(place)));
}

function typesWanted(union: RawError, errors: readonly RawError[]): string[] {
  const types = errors
    .filter(
      ({ keyword, instancePath }) => keyword === "type" && instancePath === union.instancePath,
    )
    .flatMap(({ params }): unknown => Reflect.get(params, "type"));
  return [...new Set(types.map(String))];
}

/** If no form is near, lists the values that the forms accept at this path. */
function noFormIssue(union: RawError, branches: readonly Branch[], input: unknown): Issue {
  const errors = branches.flatMap((branch) => branch.errors);
  const place = findDiscriminator(branches);
  if (place !== undefined) {
    const allowed = errors.filter((error) => error.instancePath === place).flatMap(allowedValues);
    const values = [...new Set(allowed)];
    return allowedIssue({ ...union, instancePath: place }, values, atPointer(input, place));
  }
  const types = typesWanted(union, errors);
  const found = typeName(atPointer(input, union.instancePath));
  const message =
    types.length === 0
      ? "matches none of the forms that the schema allows"
      : `must be ${types.join(" or ")}, not ${found}`;
  return { path: union.instancePath, message };
}

function unionIssues(
  root: JsonSchema,
  union: RawError,
  errors: readonly RawError[],
  input: unknown,
): Issue[] {
  if (names(union.params, "passingSchemas").length > 1) {
    return [
      {
        path: union.instancePath,
        message: "matches several forms of the schema, but only one may match",
      },
    ];
  }
  const branches = getBranches(union, errors);
  const near = branches
    .filter((branch) => !branch.isOtherForm)
    .toSorted((a, b) => a.errors.length - b.errors.length)[0];
  if (near === undefined || findDiscriminator(branches) !== undefined) {
    return [noFormIssue(union, branches, input)];
  }
  return issuesFrom(root, near.errors, input);
}

function issuesFrom(root: JsonSchema, errors: readonly RawError[], input: unknown): Issue[] {
  return outermost(errors).flatMap((error) =>
    isUnion(error) ? unionIssues(root, error, errors, input) : errorIssues(root, error, input),
  );
}

/**
 * Whether an issue reports a member as unknown that another issue already reports, because the
 * member's value failed its own schema.
 */
function isEcho({ path, message }: Issue, issues: readonly Issue[]): boolean {
  if (message !== NOT_KNOWN) return false;
  return issues.some(
    (other) => other.message !== NOT_KNOWN && `${other.path}/`.startsWith(`${path}/`),
  );
}

/**
 * Converts raw errors to issues that a caller can fix: one per problem, with allowed values and
 * near names.
 */
export function toIssues(root: JsonSchema, errors: readonly RawError[], input: unknown): Issue[] {
  const found = issuesFrom(root, errors, input);
  const all = found.filter((issue) => !isEcho(issue, found));
  const issues = all.slice(0, MAX_ISSUES);
  const left = all.length - issues.length;
  if (left > 0) issues.push({ path: "", message: `has ${left} more problems` });
  return issues.length > 0 ? issues : [{ path: "", message: DOES_NOT_FIT }];
}
