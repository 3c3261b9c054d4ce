import type { Issue, JsonSchema } from "../envelope/index.ts";
import { CheckBudgetError, renewCheckBudget, TOO_LARGE_TO_CHECK } from "../pattern/index.ts";
import { DOES_NOT_FIT, toIssues } from "./issues.ts";
import { linearSchema } from "./linear-schema.ts";
import { patternsFor, skippedPatterns } from "./patterns.ts";
import type { SchemaTraits } from "./traits.ts";

export type Engine = typeof import("./checker-engine.ts");
type Check = (value: unknown) => boolean;

/** Checks values with the engine, and refuses those that would take too long. */
export interface EngineChecks {
  readonly skipped: readonly string[];
  readonly check: Check;
  readonly issues: (value: unknown) => Issue[];
}

/**
 * For larger schemas, such as an API whose objects all refer to each other, generating code
 * takes longer than interpreting the schema.
 */
const MAX_GENERATED = 2_000;
/**
 * A schema that contains itself twice, or that uses the same schema many times, takes twice as
 * long with each level. It is interpreted, because that work can be counted and limited.
 */
const MAX_UNFOLDED = 20_000;
/**
 * Code for a longer list of schemas, values or names would be nested deeper than the platform
 * can parse.
 */
const MAX_LIST = 200;
/** Visiting this many schemas in generated code takes about half a second. */
const MAX_VISITS = 50_000_000;
/** Schemas up to this size are fast for any value. */
const MAX_QUICK = 20;
const UNIQUE: JsonSchema = { uniqueItems: true };
const MAX_AT_ONCE = 100;
const CHECKS_BEFORE = 10;

function isObjectSchema(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Without generated code, the engine's own validator keeps the evaluated names of earlier
 * values, so `unevaluatedProperties` accepts them in the next value. A new check for each value
 * avoids that.
 */
function generated(engine: Engine, schema: JsonSchema): Check {
  const validator = engine.Compile(schema);
  return validator.IsAccelerated()
    ? (value) => validator.Check(value)
    : (value) => engine.Check(schema, value);
}

/**
 * Generates code immediately for a small schema, otherwise after the schema was used a few times.
 */
function generatedWith(engine: Engine, schema: JsonSchema, size: number): Check {
  if (size <= MAX_AT_ONCE) return generated(engine, schema);
  let check: Check = (value) => engine.Check(schema, value);
  let checks = 0;
  return (value) => {
    checks += 1;
    if (checks === CHECKS_BEFORE) check = generated(engine, schema);
    return check(value);
  };
}

/**
 * Checks a value. Undefined if that takes too long, or if the value is nested deeper than the
 * stack.
 */
function withinBudget<Result>(run: (value: unknown) => Result, value: unknown): Result | undefined {
  renewCheckBudget();
  try {
    return run(value);
  } catch (error) {
    if (error instanceof CheckBudgetError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Uses a copy of the schema for the engine. Some patterns need a new copy for each value. */
function checkCopy(
  engine: Engine,
  schema: JsonSchema,
  traits: SchemaTraits,
  isInterpreted: boolean,
): EngineChecks {
  const patterns = patternsFor(traits.patterns);
  const isUnique: Check = (value) => engine.Check(UNIQUE, value);
  const linear = linearSchema(schema, patterns, { isInterpreted, isUnique });
  const schemaFor = "fixed" in linear ? () => linear.fixed : linear.forValue;
  const charge = "fixed" in linear ? linear.charge : undefined;
  const fits: Check =
    "fixed" in linear && !isInterpreted
      ? generatedWith(engine, linear.fixed, traits.size)
      : (value) => engine.Check(schemaFor(value), value);
  const check: Check = (value) => {
    charge?.(value);
    return fits(value);
  };
  // Remembers values that are too large, because a value is checked several times and each check
  // would take as long. Created on demand, because most schemas never meet such a value.
  let tooLarge: WeakSet<object> | undefined;
  const verdict = (value: unknown): boolean | undefined => {
    if (tooLarge !== undefined && isObjectSchema(value) && tooLarge.has(value)) return undefined;
    const found = withinBudget(check, value);
    if (found === undefined && isObjectSchema(value)) (tooLarge ??= new WeakSet()).add(value);
    return found;
  };
  const findIssues = (value: unknown): Issue[] => {
    const used = schemaFor(value);
    return toIssues(used, engine.Errors(used, value)[1], value);
  };
  return {
    skipped: skippedPatterns(patterns),
    check: (value) => verdict(value) === true,
    issues: (value) => {
      if (verdict(value) === undefined) return [{ path: "", message: TOO_LARGE_TO_CHECK }];
      return withinBudget(findIssues, value) ?? [{ path: "", message: DOES_NOT_FIT }];
    },
  };
}

function checkGenerated(engine: Engine, schema: JsonSchema, size: number): EngineChecks {
  return {
    skipped: [],
    check: generatedWith(engine, schema, size),
    issues: (value) => toIssues(schema, engine.Errors(schema, value)[1], value),
  };
}

/** Whether a value has more parts than this. A part that occurs twice counts twice. */
function hasMoreParts(value: unknown, most: number): boolean {
  const queue = [value];
  let parts = 0;
  while (queue.length > 0 && parts <= most) {
    const part = queue.pop();
    parts += 1;
    if (!isObjectSchema(part)) continue;
    const members: unknown[] = Array.isArray(part) ? part : Object.values(part);
    if (members.length > most) return true;
    for (const member of members) queue.push(member);
  }
  return parts > most;
}

function generatedChecks(engine: Engine, schema: JsonSchema, traits: SchemaTraits): EngineChecks {
  return traits.patterns.length > 0 || traits.hasUniqueItems
    ? checkCopy(engine, schema, traits, false)
    : checkGenerated(engine, schema, traits.size);
}

/**
 * Uses generated code if that is fast. Otherwise interprets the schema, because that work can be
 * limited.
 */
export function engineChecks(
  engine: Engine,
  schema: JsonSchema,
  traits: SchemaTraits,
  interpreted: boolean,
): EngineChecks {
  const isInterpreted =
    interpreted ||
    traits.size > MAX_GENERATED ||
    traits.unfolded > MAX_UNFOLDED ||
    traits.longestList > MAX_LIST;
  if (isInterpreted) return checkCopy(engine, schema, traits, true);
  const quick = generatedChecks(engine, schema, traits);
  if (traits.unfolded <= MAX_QUICK) return quick;
  const mostParts = MAX_VISITS / traits.unfolded;
  let counted: EngineChecks | undefined;
  const checksFor = (value: unknown): EngineChecks =>
    hasMoreParts(value, mostParts) ? (counted ??= checkCopy(engine, schema, traits, true)) : quick;
  return {
    skipped: quick.skipped,
    check: (value) => checksFor(value).check(value),
    issues: (value) => checksFor(value).issues(value),
  };
}
