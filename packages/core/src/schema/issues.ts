import type { Issue, JsonSchema } from "../envelope/index.ts";
import { isRecord } from "../envelope/index.ts";
import { nearestNames } from "./nearest.ts";
import { atPointer, isSchema, pointerKey, resolveRef } from "./pointer.ts";

/** What the checker reports of one failed keyword. */
export interface RawError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const MAX_ISSUES = 16;
const MAX_ALLOWED = 32;

/** The schema at a path as the checker writes it, which steps through references silently. */
function schemaAt(root: JsonSchema, schemaPath: string): JsonSchema | undefined {
  let current: unknown = root;
  for (const key of schemaPath.split("/").slice(1)) {
    const resolved = isSchema(current) ? (resolveRef(root, current) ?? current) : current;
    current = atPointer(resolved, `/${key}`);
  }
  return isSchema(current) ? resolveRef(root, current) : undefined;
}

function propertyNames(root: JsonSchema, schemaPath: string): string[] {
  const schema = schemaAt(root, schemaPath);
  return isRecord(schema) && isRecord(schema["properties"])
    ? Object.keys(schema["properties"])
    : [];
}

function names(params: object, key: string): string[] {
  const list: unknown = Reflect.get(params, key);
  return Array.isArray(list) ? list.map(String) : [];
}

function missingIssue(root: JsonSchema, error: RawError, name: string): Issue {
  const path = error.instancePath + pointerKey(name);
  const schema = schemaAt(root, `${error.schemaPath}/properties${pointerKey(name)}`);
  const allowed = isRecord(schema) && Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  const issue: Issue = { path, message: "is required", missing: true };
  return allowed === undefined ? issue : { ...issue, allowed: allowed.slice(0, MAX_ALLOWED) };
}

function unknownIssue(error: RawError, name: string, known: readonly string[]): Issue {
  const issue: Issue = { path: error.instancePath + pointerKey(name), message: "is not known here" };
  const [nearest] = nearestNames(name, known, 1);
  if (nearest !== undefined) return { ...issue, did_you_mean: nearest };
  return known.length === 0 ? issue : { ...issue, allowed: known.slice(0, MAX_ALLOWED) };
}

function unknownIssues(root: JsonSchema, error: RawError, key: string): Issue[] {
  const known = propertyNames(root, error.schemaPath);
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

/** The issues of one raw error; a keyword that only repeats another one's finding has none. */
function issuesOf(root: JsonSchema, error: RawError, input: unknown): Issue[] {
  const value = atPointer(input, error.instancePath);
  switch (error.keyword) {
    case "required":
      return names(error.params, "requiredProperties").map((name) =>
        missingIssue(root, error, name),
      );
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownIssues(root, error, error.keyword);
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
  /** Wrong in kind: another form was meant, so its other findings do not help. */
  readonly isOtherForm: boolean;
}

function branchesOf(union: RawError, errors: readonly RawError[]): Branch[] {
  const prefix = `${union.schemaPath}/${union.keyword}/`;
  const byIndex = new Map<string, RawError[]>();
  for (const error of errors) {
    if (!error.schemaPath.startsWith(prefix)) continue;
    const index = error.schemaPath.slice(prefix.length).split("/", 1)[0]!;
    byIndex.set(index, [...(byIndex.get(index) ?? []), error]);
  }
  return [...byIndex.values()].map((branch) => ({
    errors: branch,
    isOtherForm: branch.some(
      ({ keyword, instancePath }) =>
        keyword === "const" || (keyword === "type" && instancePath === union.instancePath),
    ),
  }));
}

function isUnion({ keyword }: RawError): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

/** When no form is near, says what each form would have taken at this place. */
function noFormIssue(union: RawError, branches: readonly Branch[], value: unknown): Issue {
  const errors = branches.flatMap((branch) => branch.errors);
  const constants = errors
    .filter(({ keyword, instancePath }) => keyword === "const" && instancePath === union.instancePath)
    .map(({ params }): unknown => Reflect.get(params, "allowedValue"));
  if (constants.length > 0) return allowedIssue(union, constants, value);
  const types = errors
    .filter(({ keyword, instancePath }) => keyword === "type" && instancePath === union.instancePath)
    .map(({ params }) => String(Reflect.get(params, "type")));
  const message =
    types.length === 0
      ? "matches none of the allowed forms"
      : `must be ${[...new Set(types)].join(" or ")}, not ${typeName(value)}`;
  return { path: union.instancePath, message };
}

function unionIssues(
  root: JsonSchema,
  union: RawError,
  errors: readonly RawError[],
  input: unknown,
): Issue[] {
  const branches = branchesOf(union, errors);
  const near = branches
    .filter((branch) => !branch.isOtherForm)
    .toSorted((a, b) => a.errors.length - b.errors.length)[0];
  if (near === undefined) {
    return [noFormIssue(union, branches, atPointer(input, union.instancePath))];
  }
  return issuesFrom(root, near.errors, input);
}

function issuesFrom(root: JsonSchema, errors: readonly RawError[], input: unknown): Issue[] {
  const unions = errors.filter(isUnion);
  const isInside = (error: RawError): boolean =>
    unions.some((union) => error.schemaPath.startsWith(`${union.schemaPath}/${union.keyword}/`));
  return errors
    .filter((error) => !isInside(error))
    .flatMap((error) =>
      isUnion(error) ? unionIssues(root, error, errors, input) : issuesOf(root, error, input),
    );
}

/** Raw findings as a caller can act on them: one per problem, with allowed values and near names. */
export function toIssues(root: JsonSchema, errors: readonly RawError[], input: unknown): Issue[] {
  const issues = issuesFrom(root, errors, input).slice(0, MAX_ISSUES);
  return issues.length > 0 ? issues : [{ path: "", message: "does not fit the schema" }];
}
