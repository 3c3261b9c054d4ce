import { Pending } from "../../cards/index.ts";
import type { PreparedInput } from "../../cards/index.ts";
import { isCallError, isRecord, setOwn } from "../../envelope/index.ts";
import type { Issue } from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import { innerIssues, invalidInput } from "../../registry/index.ts";
import type { Entry, Schemas } from "../../registry/index.ts";
import { normalise, pointerKey } from "../../schema/index.ts";
import { namedParams } from "../call/named-params.ts";

/** The maximum depth at which references are searched for. */
const MAX_DEPTH = 100;

type Edit = (value: unknown, path: string) => unknown;

/** Copies a value. `edit` may replace each part, and a replaced part is not searched further. */
function edited(value: unknown, edit: Edit, path = "", depth = 0): unknown {
  const other = edit(value, path);
  if (other !== value || depth > MAX_DEPTH) return other;
  const inside = (part: unknown, key: string | number): unknown =>
    edited(part, edit, path + pointerKey(key), depth + 1);
  if (Array.isArray(value)) return value.map(inside);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, inside(value[key], key));
  return copy;
}

/**
 * The input with a marker for each value that is not known yet. The marker stays with the value
 * when inputs are renamed.
 */
function markedOutline({ outline, references }: PreparedInput): unknown {
  const places = new Map(references.map(({ path, text }) => [path, text]));
  return edited(outline, (value, path) => {
    const text = places.get(path);
    return text === undefined ? value : new Pending(text);
  });
}

/** Removes the markers and returns where they were. */
function unmarked(value: unknown): { readonly value: unknown; readonly places: string[] } {
  const places: string[] = [];
  const plain = edited(value, (part, path) => {
    if (!(part instanceof Pending)) return part;
    places.push(path);
    return null;
  });
  return { value: plain, places };
}

/**
 * Whether a marker causes an issue: the paths are equal, or the issue is about a parent of the
 * marker and is not a missing member.
 */
function isAbout(place: string, { path, missing }: Issue): boolean {
  if (path === place) return true;
  return missing !== true && place.startsWith(`${path}/`);
}

/**
 * The params under the names of the schema. Undefined if the names depend on values that are not
 * known yet.
 */
function namedOutline(entry: Entry, params: unknown): unknown {
  try {
    return namedParams(entry, params);
  } catch (thrown) {
    const issues = isCallError(thrown) ? thrown.details.issues : undefined;
    const { places } = unmarked(params);
    const isOwn = issues?.some((issue) => !places.some((place) => isAbout(place, issue)));
    if (entry.spec.normaliseInput === undefined || isOwn === true) throw thrown;
    return undefined;
  }
}

/** Whether the operation may take inputs from a reference that is not resolved yet. */
function mayBeFilled({ normaliseInput }: OperationSpec, places: readonly string[]): boolean {
  return normaliseInput !== undefined && places.some((place) => place.lastIndexOf("/") === 0);
}

/** Whether the text of another input may provide the missing input. */
function mayBeBrought({ inputsInText }: OperationSpec, { path, missing }: Issue): boolean {
  if (missing !== true) return false;
  return inputsInText?.some((name) => path === pointerKey(name)) ?? true;
}

/** Uses the same options as for a complete input. */
const READ = { defaults: true, decode: true, lists: true } as const;

/** Throws if an input is invalid for every possible value of its references. */
export function checkOutline(
  entry: Entry,
  schema: Schemas["input"],
  input: PreparedInput,
  /** Adds the inputs that the id of the step implies, such as `event` for `pr.approve`. */
  read: (params: unknown) => unknown,
): void {
  const { spec } = entry;
  if (spec.checkedElsewhere === true) return;
  const params = markedOutline(input);
  if (params instanceof Pending) return;
  const named = namedOutline(entry, read(params));
  if (named === undefined || schema === undefined) return;
  const { value: plain, places } = unmarked(named);
  const { value } = normalise(schema.schema, plain, READ);
  const isOpen = mayBeFilled(spec, places);
  const issues = (schema.check(value) ? [] : schema.issues(value))
    .concat(innerIssues(entry, value))
    .filter((issue) => !(isOpen && mayBeBrought(spec, issue)))
    .filter((issue) => !places.some((place) => isAbout(place, issue)));
  if (issues.length > 0) throw invalidInput(spec.id, issues);
}
