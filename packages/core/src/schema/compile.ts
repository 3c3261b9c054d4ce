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
  /** The schema as it was given. */
  readonly schema: JsonSchema;
  /** Facts about the schema that decide how it is checked. */
  readonly traits: SchemaTraits;
  /** An integer may be a text of digits that a number cannot hold. */
  readonly takesDigits: boolean;
  /**
   * The parts that are not checked, one sentence each: patterns that no engine runs in linear time.
   */
  readonly skipped: readonly string[];
  /** False also for a value that is too large to be checked, which `issues` says. */
  check(value: unknown): boolean;
  /** The mistakes in an invalid value. */
  issues(value: unknown): Issue[];
}

/** Options of a compiled schema. */
export interface CompileOptions {
  /**
   * Never generates code, for places where `eval` is forbidden (default: only where it must be).
   */
  readonly interpreted?: boolean;
  /**
   * Inputs that are sent as they are: an integer may have any number of digits (default: false).
   */
  readonly takesDigits?: boolean;
}

/** The checker once loaded; compiling is synchronous from then on. */
export interface Checker {
  /** Compiles a schema, or throws what is wrong with it. */
  compile(schema: JsonSchema, options?: CompileOptions): CompiledSchema;
}

const MAX_ERRORS = 256;
const MAX_BARE_DEPTH = 64;
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
    throw new TypeError(
      `the schema has references without a target: ${traits.brokenRefs.join(", ")}`,
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

async function loadEngine(): Promise<Checker> {
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
  loading ??= loadEngine();
  if (schemas.length === 0) return loading;
  return loadPatterns(schemas).then(() => loading!);
}
