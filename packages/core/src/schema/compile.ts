import type { Issue, JsonSchema } from "../envelope/index.ts";
import { setOwn } from "../envelope/index.ts";
import { toIssues } from "./issues.ts";
import { isPlain, plainErrors } from "./plain.ts";
import { readTraits } from "./traits.ts";
import type { SchemaTraits } from "./traits.ts";

export interface CompiledSchema {
  readonly schema: JsonSchema;
  readonly traits: SchemaTraits;
  check(value: unknown): boolean;
  /** What is wrong with a value that does not pass. */
  issues(value: unknown): Issue[];
}

export interface CompileOptions {
  /** Never generate code, for places where `eval` is forbidden. Chosen by itself where it must be. */
  readonly interpreted?: boolean;
}

/** The checker once loaded; compiling is synchronous from then on. */
export interface Checker {
  compile(schema: JsonSchema, options?: CompileOptions): CompiledSchema;
}

type Engine = typeof import("./checker-engine.ts");
type Check = CompiledSchema["check"];

const MAX_ERRORS = 256;
const MAX_BARE_DEPTH = 64;
/**
 * Larger schemas, such as those of an API whose objects all reach each other, would take longer to
 * turn into code than any number of checks takes without it.
 */
const MAX_GENERATED = 2_000;
const MAX_AT_ONCE = 100;
const CHECKS_BEFORE = 10;

/**
 * The engine tests presence with `in`, so `toString` would always be there. Where a schema uses
 * such a name, values are checked without the members that objects inherit.
 */
function withoutInherited(
  value: unknown,
  copies = new Map<unknown, unknown>(),
  depth = 0,
): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_BARE_DEPTH) return value;
  // A value that is met again is copied once: one that contains itself would never end.
  const known = copies.get(value);
  if (known !== undefined) return known;
  const bare = (Array.isArray(value) ? [] : Object.create(null)) as Record<string, unknown>;
  copies.set(value, bare);
  for (const [key, member] of Object.entries(value)) {
    setOwn(bare, key, withoutInherited(member, copies, depth + 1));
  }
  return bare;
}

function rejectBroken(traits: SchemaTraits): void {
  if (traits.brokenRefs.length > 0) {
    throw new TypeError(`the schema refers to nothing at ${traits.brokenRefs.join(", ")}`);
  }
  if (traits.badPatterns.length > 0) {
    const patterns = traits.badPatterns.join(", ");
    throw new TypeError(`the schema has patterns that are no regular expressions: ${patterns}`);
  }
}

/**
 * Without code generation the engine's own validator keeps what earlier values had evaluated, and
 * `unevaluatedProperties` lets them pass in the next; a check from scratch remembers nothing.
 */
function generated(engine: Engine, schema: JsonSchema): Check {
  const validator = engine.Compile(schema);
  return validator.IsAccelerated()
    ? (value) => validator.Check(value)
    : (value) => engine.Check(schema, value);
}

/** Code is made at once where that is quick, and otherwise when a schema turns out to be in use. */
function checkWith(engine: Engine, schema: JsonSchema, interpreted: boolean, size: number): Check {
  const plainly: Check = (value) => engine.Check(schema, value);
  if (interpreted || size > MAX_GENERATED) return plainly;
  if (size <= MAX_AT_ONCE) return generated(engine, schema);
  let check = plainly;
  let checks = 0;
  return (value) => {
    checks += 1;
    if (checks === CHECKS_BEFORE) check = generated(engine, schema);
    return check(value);
  };
}

function compileWith(engine: Engine, schema: JsonSchema, interpreted: boolean): CompiledSchema {
  const traits = readTraits(schema);
  rejectBroken(traits);
  const prepare = traits.namesInheritedMember
    ? (value: unknown) => withoutInherited(value)
    : undefined;
  const checkOwn = checkWith(engine, schema, interpreted, traits.size);
  return {
    schema,
    traits,
    check: prepare === undefined ? checkOwn : (value) => checkOwn(prepare(value)),
    issues(value) {
      const [, errors] = engine.Errors(schema, prepare === undefined ? value : prepare(value));
      return toIssues(schema, errors, value);
    },
  };
}

/** A schema that can be checked without the engine; undefined for one that says too much. */
export function compilePlainly(schema: JsonSchema): CompiledSchema | undefined {
  if (!isPlain(schema)) return undefined;
  const traits = readTraits(schema);
  if (traits.namesInheritedMember) return undefined;
  return {
    schema,
    traits,
    check: (value) => plainErrors(schema, value, 1).length === 0,
    issues: (value) => toIssues(schema, plainErrors(schema, value, MAX_ERRORS), value),
  };
}

let loading: Promise<Checker> | undefined;

async function load(): Promise<Checker> {
  const engine = await import("./checker-engine.ts");
  engine.Settings.Set({ maxErrors: MAX_ERRORS });
  return {
    compile: (schema, options = {}) => compileWith(engine, schema, options.interpreted ?? false),
  };
}

/** Loads the checker on first use; a program that only describes operations never does. */
export function loadChecker(): Promise<Checker> {
  loading ??= load();
  return loading;
}
