import type { Issue, JsonSchema } from "../envelope/index.ts";
import { setOwn } from "../envelope/index.ts";
import { PatternBudgetError, renewPatternBudget } from "../pattern/index.ts";
import { toIssues } from "./issues.ts";
import { linearSchema } from "./linear-schema.ts";
import { loadPatternsOf, patternsFor, skippedPatterns } from "./patterns.ts";
import { isPlain, plainErrors } from "./plain.ts";
import { readTraits } from "./traits.ts";
import type { SchemaTraits } from "./traits.ts";

export interface CompiledSchema {
  readonly schema: JsonSchema;
  readonly traits: SchemaTraits;
  /** An integer may be a text of digits that a number cannot hold. */
  readonly takesDigits: boolean;
  /** What is not checked, a sentence each: patterns that no engine runs in linear time. */
  readonly skipped: readonly string[];
  /** False also for a value that is too large to be checked, which `issues` says. */
  check(value: unknown): boolean;
  /** What is wrong with a value that does not pass. */
  issues(value: unknown): Issue[];
}

export interface CompileOptions {
  /** Never generate code, for places where `eval` is forbidden. Chosen by itself where it must be. */
  readonly interpreted?: boolean;
  /** Inputs that are sent somewhere as they are: an integer may have any number of digits. */
  readonly takesDigits?: boolean;
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

/** A value that fits its schema, does not, or is too large for its patterns. */
function withinBudget<Result>(run: () => Result, tooLarge: (message: string) => Result): Result {
  renewPatternBudget();
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PatternBudgetError)) throw error;
    return tooLarge(error.message);
  }
}

/** With patterns of our own, which need a schema of their own, and for some one for each value. */
function checkPatterns(
  engine: Engine,
  schema: JsonSchema,
  interpreted: boolean,
  size: number,
): Pick<CompiledSchema, "check" | "issues" | "skipped"> {
  const patterns = patternsFor(readTraits(schema).patterns);
  const linear = linearSchema(schema, patterns);
  const schemaFor = "fixed" in linear ? () => linear.fixed : linear.forValue;
  const check: Check =
    "fixed" in linear
      ? checkWith(engine, linear.fixed, interpreted, size)
      : (value) => engine.Check(linear.forValue(value), value);
  return {
    skipped: skippedPatterns(patterns),
    check: (value) =>
      withinBudget(
        () => check(value),
        () => false,
      ),
    issues: (value) =>
      withinBudget(
        () => {
          const used = schemaFor(value);
          return toIssues(used, engine.Errors(used, value)[1], value);
        },
        (message) => [{ path: "", message }],
      ),
  };
}

function checkPlainly(
  engine: Engine,
  schema: JsonSchema,
  interpreted: boolean,
  size: number,
): Pick<CompiledSchema, "check" | "issues" | "skipped"> {
  return {
    skipped: [],
    check: checkWith(engine, schema, interpreted, size),
    issues: (value) => toIssues(schema, engine.Errors(schema, value)[1], value),
  };
}

function compileWith(
  engine: Engine,
  schema: JsonSchema,
  { interpreted = false, takesDigits = false }: CompileOptions,
): CompiledSchema {
  const traits = readTraits(schema);
  rejectBroken(traits);
  const make = traits.patterns.length === 0 ? checkPlainly : checkPatterns;
  const own = make(engine, schema, interpreted, traits.size);
  if (!traits.namesInheritedMember) return { schema, traits, takesDigits, ...own };
  return {
    schema,
    traits,
    takesDigits,
    skipped: own.skipped,
    check: (value) => own.check(withoutInherited(value)),
    issues: (value) => own.issues(withoutInherited(value)),
  };
}

/** A schema that can be checked without the engine; undefined for one that says too much. */
export function compilePlainly(
  schema: JsonSchema,
  takesDigits = false,
): CompiledSchema | undefined {
  if (!isPlain(schema)) return undefined;
  const traits = readTraits(schema);
  if (traits.namesInheritedMember) return undefined;
  return {
    schema,
    traits,
    takesDigits,
    skipped: [],
    check: (value) => plainErrors(schema, value, 1).length === 0,
    issues: (value) => toIssues(schema, plainErrors(schema, value, MAX_ERRORS), value),
  };
}

let loading: Promise<Checker> | undefined;

async function load(): Promise<Checker> {
  const engine = await import("./checker-engine.ts");
  engine.Settings.Set({ maxErrors: MAX_ERRORS });
  return {
    compile: (schema, options = {}) => compileWith(engine, schema, options),
  };
}

/**
 * Loads the checker on first use; a program that only describes operations never does. Schemas of
 * others are named here before they are compiled: their patterns may need an engine of their own.
 */
export function loadChecker(...schemas: readonly JsonSchema[]): Promise<Checker> {
  loading ??= load();
  if (schemas.length === 0) return loading;
  return loadPatternsOf(schemas).then(() => loading!);
}
