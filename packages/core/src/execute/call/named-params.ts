import { Pending } from "../../cards/index.ts";
import { isRecord, setOwn } from "../../envelope/index.ts";
import type { Issue } from "../../envelope/index.ts";
import type { OperationSpec } from "../../operation/index.ts";
import { invalidInput } from "../../registry/index.ts";
import type { Catalogue, Entry, InputNames } from "../../registry/index.ts";
import { normalise, pointerKey, readInputNames, unknownName } from "../../schema/index.ts";
import type { CompiledSchema } from "../../schema/index.ts";
import { otherCapability } from "./other-capability.ts";

type Params = Readonly<Record<string, unknown>>;

function readNames(spec: OperationSpec): InputNames {
  const aliases = new Map<string, string>();
  for (const [name, others] of Object.entries(spec.aliases ?? {})) {
    for (const other of others) aliases.set(other, name);
  }
  const names = readInputNames(spec.inputSchema);
  const known = spec.looseInput === true ? names.names : names.inputs;
  const inner = names.hasInner ? names : undefined;
  return { known, listed: [...(known ?? [])], aliases, inner };
}

function renamedParams(params: Params, { aliases }: InputNames): Record<string, unknown> {
  const byName: Record<string, unknown> = {};
  for (const key of Object.keys(params)) {
    const name = aliases.get(key);
    const isFree =
      name !== undefined && !Object.hasOwn(params, name) && !Object.hasOwn(byName, name);
    setOwn(byName, isFree ? name : key, params[key]);
  }
  return byName;
}

/**
 * Whether a name that is not in the schema is refused. A reference that is not resolved yet may
 * stand for any input.
 */
function isUnknown(name: string, { normaliseInput }: OperationSpec, params: Params): boolean {
  if (!Object.hasOwn(params, name)) return false;
  return normaliseInput === undefined || !(params[name] instanceof Pending);
}

/**
 * The issue for a value without a name, which the command line allows. Some operations can tell
 * which input is meant.
 */
function namelessIssue(value: unknown, known: ReadonlySet<string>): Issue {
  const message = `must have a name: ${JSON.stringify(value)} is not key=value`;
  return { path: "/", message, allowed: [...known] };
}

function unknownIssue(
  spec: OperationSpec,
  name: string,
  value: unknown,
  known: ReadonlySet<string>,
  registry: Catalogue | undefined,
): Issue {
  if (name === "") return namelessIssue(value, known);
  const issue = unknownName("", name, known);
  if (issue.did_you_mean !== undefined || registry === undefined) return issue;
  const use = otherCapability(registry, spec, name, value);
  return use === undefined ? issue : { path: issue.path, message: `is not an input; use ${use}` };
}

const AN_OBJECT = { type: "object" } as const;

/** Parses params that an agent sent as JSON text. Their names are checked too. */
function readTextParams(params: string, schema: CompiledSchema | undefined): unknown {
  if (schema === undefined || schema.check(params)) return params;
  return normalise(AN_OBJECT, params, { decode: true }).value;
}

/**
 * Returns the params under the names of the schema. An unknown name is refused with the nearest
 * known name. Otherwise a misspelt optional input would be ignored silently.
 */
export function namedParams(
  entry: Entry,
  written: unknown,
  schema?: CompiledSchema,
  /** Used to find another capability that accepts the refused input. */
  registry?: Catalogue,
): unknown {
  if (written === undefined) return {};
  const params = typeof written === "string" ? readTextParams(written, schema) : written;
  if (!isRecord(params)) return params;
  const { spec } = entry;
  const names = (entry.names ??= readNames(spec));
  const given = spec.normaliseInput?.(params) ?? params;
  const byName = names.aliases.size === 0 ? given : renamedParams(given, names);
  const { known, listed } = names;
  if (known === undefined || spec.checkedElsewhere === true) return byName;
  let at = 0;
  for (const name in byName) {
    // Callers usually keep the order of the schema, so comparing with the next name is faster
    // than a search.
    if (name === listed[at++] || known.has(name)) continue;
    if (isUnknown(name, spec, byName)) {
      throw unknownNames(spec, byName, known, schema, registry);
    }
  }
  return byName;
}

/** The maximum number of names to compare when looking for the intended one. */
const MAX_UNKNOWN = 32;

function unknownNames(
  spec: OperationSpec,
  params: Params,
  known: ReadonlySet<string>,
  schema: CompiledSchema | undefined,
  registry: Catalogue | undefined,
): Error {
  const unknown = Object.keys(params).filter(
    (name) => !known.has(name) && isUnknown(name, spec, params),
  );
  const issues = unknown
    .slice(0, MAX_UNKNOWN)
    .map((name) => unknownIssue(spec, name, params[name], known, registry));
  const left = unknown.length - issues.length;
  if (left > 0) issues.push({ path: "", message: `has ${left} more unknown names` });
  const others = schema === undefined || schema.check(params) ? [] : schema.issues(params);
  const paths = new Set(issues.map(({ path }) => path));
  const sure = others.filter(({ path }) => !paths.has(path)).filter(isSurelyWrong(spec, params));
  return invalidInput(spec.id, [...issues, ...sure]);
}

/**
 * Keeps only errors that are certain. For example, a string may still be converted to another
 * type.
 */
function isSurelyWrong({ inputSchema }: OperationSpec, params: Params): (issue: Issue) => boolean {
  const required: unknown = isRecord(inputSchema) ? inputSchema["required"] : undefined;
  const names = Array.isArray(required) ? required.map(String) : [];
  const missing = new Set(names.filter((name) => !(name in params)).map(pointerKey));
  return ({ path }) => {
    const given = Object.keys(params).find((name) => `${path}/`.startsWith(`${pointerKey(name)}/`));
    return given === undefined ? missing.has(path) : typeof params[given] !== "string";
  };
}
