import type { Issue, JsonSchema } from "../envelope/index.ts";
import { setOwn } from "../envelope/index.ts";
import { engineChecks } from "./engine-checks.ts";
import type { Engine } from "./engine-checks.ts";
import { toIssues } from "./issues.ts";
import { loadPatterns } from "./patterns.ts";
import { isPlain, plainErrors } from "./plain.ts";
import { withPointerRefs } from "./pointer-refs.ts";
import { readTraits } from "./traits.ts";
import type { SchemaTraits } from "./traits.ts";

/** A schema that can check values. */
export interface CompiledSchema {
  /** The original schema. */
  readonly schema: JsonSchema;
  /** Properties of the schema that decide how values are checked. */
  readonly traits: SchemaTraits;
  /** Whether an integer may be a string of digits that is too large for a number. */
  readonly takesDigits: boolean;
  /**
   * The parts that are not checked, one sentence each. They are patterns that no engine can run
   * in linear time.
   */
  readonly skipped: readonly string[];
  /**
   * Whether a value is valid. Also false for a value that is too large to be checked, and
   * `issues` says so.
   */
  check(value: unknown): boolean;
  /** The problems of an invalid value. */
  issues(value: unknown): Issue[];
}

/** Options of a compiled schema. */
export interface CompileOptions {
  /**
   * Never generates code, for environments that forbid `eval` (default: only if `eval` is
   * forbidden).
   */
  readonly interpreted?: boolean;
  /**
   * For inputs that are sent unchanged: an integer may have any number of digits (default: false).
   */
  readonly takesDigits?: boolean;
}

/** The checker after loading. Compiling is synchronous. */
export interface Checker {
  /** Compiles a schema. Throws if the schema is invalid. */
  compile(schema: JsonSchema, options?: CompileOptions): CompiledSchema;
}

const MAX_ERRORS = 256;
const MAX_BARE_DEPTH = 64;
/**
 * The engine tests with `in` whether a member is present, so `toString` would always be present.
 * If a schema uses such a name, a copy of the value without inherited members is checked.
 */
function withoutInherited(
  value: unknown,
  copies = new Map<unknown, unknown>(),
  depth = 0,
): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_BARE_DEPTH) return value;
  // A value that occurs again is copied only once. Otherwise copying a value that contains
  // itself would never end.
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
    throw new TypeError(
      `the schema refers to parts that do not exist: ${traits.brokenRefs.join(", ")}`,
    );
  }
}

function compileWith(
  engine: Engine,
  schema: JsonSchema,
  { interpreted = false, takesDigits = false }: CompileOptions,
): CompiledSchema {
  const checked = withPointerRefs(schema);
  const traits = readTraits(checked);
  rejectBroken(traits);
  const own = engineChecks(engine, checked, traits, interpreted);
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

/**
 * Compiles a schema that can be checked without the engine. Undefined for a schema that needs it.
 */
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

async function loadEngine(): Promise<Checker> {
  const engine = await import("./checker-engine.ts");
  engine.Settings.Set({ maxErrors: MAX_ERRORS });
  return {
    compile: (schema, options = {}) => compileWith(engine, schema, options),
  };
}

/**
 * Loads the checker on first use. A program that only describes operations never loads it. Pass
 * schemas from outside before compiling them, because their patterns may need another engine.
 */
export function loadChecker(...schemas: readonly JsonSchema[]): Promise<Checker> {
  loading ??= loadEngine();
  if (schemas.length === 0) return loading;
  return loadPatterns(schemas).then(() => loading!);
}
