import { fail, isRecord, setOwn } from "../../envelope/index.ts";
import { pointerKey } from "../../schema/index.ts";
import { readExpression, valueOf } from "./expressions.ts";
import type { StepExpression } from "./expressions.ts";

/** A place in an input that another step fills. */
interface Reference {
  /** JSON pointer to it. */
  readonly path: string;
  readonly expression: StepExpression;
  readonly text: string;
}

/** An input with its references found. */
export interface PreparedInput {
  readonly references: readonly Reference[];
  /** The input with null where a value is still to come, for checking the rest. */
  readonly outline: unknown;
  /** The input with every reference filled in; throws VALIDATION when one yields nothing. */
  resolve(scope: object): unknown;
}

type Fill = (scope: object) => unknown;
type Filled = { readonly outline: unknown; readonly fill: Fill };

const MAX_DEPTH = 100;
const PLACEHOLDER = /\{\{(.*?)\}\}/gs;

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function yieldedNothing(expression: string, path: string): Error {
  return fail("VALIDATION", `${expression} yields nothing for ${path || "the input"}`, {
    outcome: "not_applied",
    hint: 'Give it a "default" if it may',
  });
}

/** Reads an input once and remembers how to fill it. */
class InputReader {
  readonly references: Reference[] = [];
  async read(value: unknown, path: string, depth: number): Promise<Filled> {
    if (depth > MAX_DEPTH) throw fail("VALIDATION", `The input is deeper than ${MAX_DEPTH} levels`);
    if (Array.isArray(value)) return this.#readList(value, path, depth);
    if (!isRecord(value)) return { outline: value, fill: () => value };
    if (Object.hasOwn(value, "$literal")) return this.#readLiteral(value, path);
    if (Object.hasOwn(value, "$from")) return this.#readFrom(value, path);
    if (Object.hasOwn(value, "$text")) return this.#readText(value, path);
    return this.#readMembers(value, path, depth);
  }

  async #refer(text: unknown, path: string): Promise<Reference> {
    const expression = await readExpression(text);
    const reference = { path, expression, text: String(text) };
    this.references.push(reference);
    return reference;
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
    const { expression, text } = await this.#refer(value["$from"], path);
    const hasDefault = Object.hasOwn(value, "default");
    const fill: Fill = (scope) => {
      const found = valueOf(expression, scope);
      if (!isNothing(found)) return found;
      if (hasDefault) return value["default"];
      throw yieldedNothing(text, path);
    };
    return { outline: null, fill };
  }

  async #readText(value: Record<string, unknown>, path: string): Promise<Filled> {
    this.#assertOnly(value, ["$text"], path);
    const template = value["$text"];
    if (typeof template !== "string") throw fail("VALIDATION", `${path}: $text takes a text`);
    const parts = new Map<string, StepExpression>();
    for (const [, text = ""] of template.matchAll(PLACEHOLDER)) {
      parts.set(text, (await this.#refer(text.trim(), path)).expression);
    }
    const fill: Fill = (scope) =>
      template.replace(PLACEHOLDER, (_whole, text: string) => {
        const found = valueOf(parts.get(text)!, scope);
        if (isNothing(found)) throw yieldedNothing(text.trim(), path);
        return typeof found === "string" ? found : JSON.stringify(found);
      });
    return { outline: null, fill };
  }

  async #readList(list: readonly unknown[], path: string, depth: number): Promise<Filled> {
    const items = await Promise.all(
      list.map((item, index) => this.read(item, `${path}/${index}`, depth + 1)),
    );
    return {
      outline: items.map(({ outline }) => outline),
      fill: (scope) => items.map(({ fill }) => fill(scope)),
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
    for (const member of members) setOwn(outline, member.key, member.outline);
    const fill: Fill = (scope) => {
      const filled: Record<string, unknown> = {};
      for (const member of members) setOwn(filled, member.key, member.fill(scope));
      return filled;
    };
    return { outline, fill };
  }
}

export async function prepareInput(input: unknown): Promise<PreparedInput> {
  const reader = new InputReader();
  const { outline, fill } = await reader.read(input ?? {}, "", 0);
  return { references: reader.references, outline, resolve: fill };
}
