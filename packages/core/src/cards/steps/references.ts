import { fail, isRecord, setOwn } from "../../envelope/index.ts";
import { pointerKey } from "../../schema/index.ts";
import { Allowance, Pending, scalarText } from "../mapping/index.ts";
import { looksOnlyAt, plainPath, readExpression, stepValue } from "./expressions.ts";
import type { StepExpression } from "./expressions.ts";

/** A value in an input that another step provides. */
interface Reference {
  /** JSON pointer to the value. */
  readonly path: string;
  readonly expression: StepExpression;
  readonly text: string;
}

/** A parsed input with its references to other steps. */
export interface PreparedInput {
  readonly references: readonly Reference[];
  /** The input with null for each value that is not known yet. It is used to check the rest. */
  readonly outline: unknown;
  /** The input with all references filled in. Throws VALIDATION if a reference has no value. */
  resolve(scope: object): unknown;
}

type Fill = (scope: object) => unknown;
type Filled = { readonly outline: unknown; readonly fill: Fill };

const MAX_DEPTH = 100;
/**
 * The largest input that references may fill, in values and blocks of 16 characters. Without a
 * limit, steps that each use the previous result twice would double the data with every step.
 */
const MAX_INPUT = 2_000_000;
const MAX_TEXT = MAX_INPUT * 16;
const PLACEHOLDER = /\{\{(.*?)\}\}/gs;

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function yieldedNothing(expression: string, path: string): Error {
  return fail("VALIDATION", `${expression} has no value for ${path || "the input"}`, {
    outcome: "not_applied",
    hint: 'If the value may be missing, add a "default" to the reference',
  });
}

/** A step cannot refer to the whole chain, because its result would then contain itself. */
function wholeChain(expression: string, path: string): Error {
  return fail(
    "VALIDATION",
    `${expression} refers to the whole chain, which cannot be used for ${path || "the input"}`,
    {
      outcome: "not_applied",
      hint: "Name the step that the value comes from, such as s0.data",
    },
  );
}

function inputTooLarge(): Error {
  return fail("TOO_LARGE", "The values that references fill in make the input too large", {
    outcome: "not_applied",
    hint: "Refer to the part that the step needs, such as s0.data.id",
  });
}

function withinLimit(input: unknown): unknown {
  if (new Allowance().sizeOf(input) > MAX_INPUT) throw inputTooLarge();
  return input;
}

/** Stands for a member that is omitted because its value is absent. */
const LEFT_OUT: unique symbol = Symbol("left out");

/** In a dry run, shows the expression of the reference instead of its value. */
function orPending(found: unknown, text: string): unknown {
  return found instanceof Pending ? new Pending(text) : found;
}

/** Parses an input once and records how to fill its references. */
class InputReader {
  readonly references: Reference[] = [];
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(given: Readonly<Record<string, unknown>>) {
    this.#given = given;
  }

  async read(value: unknown, path: string, depth: number): Promise<Filled> {
    if (depth > MAX_DEPTH)
      throw fail("VALIDATION", `The input is deeper than ${MAX_DEPTH} levels. Nest it less`);
    if (Array.isArray(value)) return this.#readList(value, path, depth);
    if (!isRecord(value)) return { outline: value, fill: () => value };
    if (Object.hasOwn(value, "$literal")) return this.#readLiteral(value, path);
    if (Object.hasOwn(value, "$from")) return this.#readFrom(value, path);
    if (Object.hasOwn(value, "$text")) return this.#readText(value, path);
    return this.#readMembers(value, path, depth);
  }

  #assertOnly(value: Record<string, unknown>, names: readonly string[], path: string): void {
    const others = Object.keys(value).filter((name) => !names.includes(name));
    if (others.length === 0) return;
    const message = `${path || "The input"} mixes ${names[0]} with ${others.join(", ")}`;
    throw fail("VALIDATION", message, { hint: 'Quote a literal value with {"$literal": …}' });
  }

  #readLiteral(value: Record<string, unknown>, path: string): Filled {
    this.#assertOnly(value, ["$literal"], path);
    const literal = value["$literal"];
    return { outline: literal, fill: () => literal };
  }

  async #readFrom(value: Record<string, unknown>, path: string): Promise<Filled> {
    this.#assertOnly(value, ["$from", "default"], path);
    const expression = await readExpression(value["$from"]);
    const text = String(value["$from"]);
    if (plainPath(expression)?.length === 0) throw wholeChain(text, path);
    const hasDefault = Object.hasOwn(value, "default");
    const isGiven = plainPath(expression) !== undefined && looksOnlyAt(expression, this.#given);
    const fill: Fill = (scope) => {
      const found = stepValue(expression, scope);
      if (!isNothing(found)) return orPending(found, text);
      if (hasDefault) return value["default"];
      // As in mappings, a value of `given` that is absent is omitted, and null is kept.
      if (isGiven) return found === undefined ? LEFT_OUT : null;
      throw yieldedNothing(text, path);
    };
    return this.#filled([{ path, expression, text }], fill);
  }

  /** Fills references to values of `given` now, so that they are checked like other inputs. */
  #filled(references: readonly Reference[], fill: Fill): Filled {
    if (references.every(({ expression }) => looksOnlyAt(expression, this.#given))) {
      const value = fill(this.#given);
      return { outline: value, fill: () => value };
    }
    this.references.push(...references);
    return { outline: null, fill };
  }

  async #readText(value: Record<string, unknown>, path: string): Promise<Filled> {
    this.#assertOnly(value, ["$text"], path);
    const template = value["$text"];
    if (typeof template !== "string") throw fail("VALIDATION", `${path}: $text must be a string`);
    const parts = new Map<string, Reference>();
    for (const [, text = ""] of template.matchAll(PLACEHOLDER)) {
      const expression = await readExpression(text.trim());
      parts.set(text, { path, expression, text: text.trim() });
    }
    const fill: Fill = (scope) => {
      let length = 0;
      return template.replace(PLACEHOLDER, (_whole, text: string) => {
        const found = orPending(stepValue(parts.get(text)!.expression, scope), text.trim());
        if (isNothing(found)) throw yieldedNothing(text.trim(), path);
        const written = scalarText(found) ?? JSON.stringify(found);
        length += written.length;
        if (length > MAX_TEXT) throw inputTooLarge();
        return written;
      });
    };
    return this.#filled([...parts.values()], fill);
  }

  async #readList(list: readonly unknown[], path: string, depth: number): Promise<Filled> {
    const items = await Promise.all(
      list.map((item, index) => this.read(item, `${path}/${index}`, depth + 1)),
    );
    return {
      outline: items.map(({ outline }) => outline).filter((item) => item !== LEFT_OUT),
      fill: (scope) => items.map(({ fill }) => fill(scope)).filter((item) => item !== LEFT_OUT),
    };
  }

  async #readMembers(value: Record<string, unknown>, path: string, depth: number): Promise<Filled> {
    const members = await Promise.all(
      Object.keys(value).map(async (key) => ({
        key,
        ...(await this.read(value[key], path + pointerKey(key), depth + 1)),
      })),
    );
    const outline: Record<string, unknown> = {};
    for (const member of members) {
      if (member.outline !== LEFT_OUT) setOwn(outline, member.key, member.outline);
    }
    const fill: Fill = (scope) => {
      const filled: Record<string, unknown> = {};
      for (const member of members) {
        const found = member.fill(scope);
        if (found !== LEFT_OUT) setOwn(filled, member.key, found);
      }
      return filled;
    };
    return { outline, fill };
  }
}

function orEmpty(value: unknown): unknown {
  return value === LEFT_OUT ? {} : value;
}

/**
 * Finds the references of an input. References to `given` values, which need no step, are filled
 * immediately.
 */
export async function prepareInput(
  input: unknown,
  given: Readonly<Record<string, unknown>> = {},
): Promise<PreparedInput> {
  const reader = new InputReader(given);
  const { outline, fill } = await reader.read(input ?? {}, "", 0);
  return {
    references: reader.references,
    outline: orEmpty(outline),
    resolve: (scope) => {
      const filled = orEmpty(fill(scope));
      return reader.references.length === 0 ? filled : withinLimit(filled);
    },
  };
}
