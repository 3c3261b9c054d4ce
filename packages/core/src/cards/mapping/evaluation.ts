import { setOwn, thrownMessage } from "../../envelope/index.ts";
import type { CardFunctions } from "../request.ts";
import { requireExpressions, runExpression } from "./expressions.ts";
import { findValue } from "./find.ts";
import { listedValue } from "./listed-value.ts";
import { MappingError } from "./mapping-error.ts";
import { Pending } from "./pending.ts";
import { MISSING, readPath } from "./plain-path.ts";
import { scalarText } from "./scalar.ts";
import { isKeys } from "./prepared-mapping.ts";
import type {
  CallNode,
  ExpressionNode,
  InsideNode,
  MapNode,
  PlainPath,
  PreparedMapping,
  TextNode,
} from "./prepared-mapping.ts";

/** The data that a mapping is evaluated over. */
export interface MappingScope {
  /** The current value: the params in a request mapping, the answer in an output mapping. */
  readonly value: unknown;
  /** The value of each `$name`. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Functions that mappings may call (default: none). */
  readonly functions?: CardFunctions | undefined;
}

function isNothingToEnter(value: unknown): boolean {
  return value === MISSING || value === null || value instanceof Pending;
}

/** One evaluation of a mapping. `at` is the path in the result, for messages. */
export class Evaluation {
  readonly missing: Set<string> = new Set();
  readonly #scope: MappingScope;

  constructor(scope: MappingScope) {
    this.#scope = scope;
  }

  run(node: PreparedMapping, value: unknown, at: string): unknown {
    if (isKeys(node)) return readPath(value, node);
    switch (node.is) {
      case "constant":
        return node.value;
      case "variable":
        return this.#read(node, value);
      case "expression":
        return this.#expression(node, value, at);
      case "object":
        return this.#object(node.fields, value, at);
      case "list":
        return this.#list(node.items, value, at);
      case "from":
      case "each":
        return this.#inside(node, value, at);
      case "map":
        return this.#map(node, value, at);
      case "find":
        return findValue(node, (part, over) => this.run(part, over, at), value, at);
      case "text":
        return this.#text(node, value, at);
      case "call":
        return this.#call(node, value, at);
    }
  }

  #read(path: PlainPath, value: unknown): unknown {
    if (path.variable === undefined) return readPath(value, path.keys);
    return readPath(this.#scope.variables[path.variable], path.keys);
  }

  /** If all inputs of an expression are absent and its result is null, the result is absent too. */
  #expression(node: ExpressionNode, value: unknown, at: string): unknown {
    requireExpressions();
    const pending = this.#pendingIn(node, value);
    if (pending !== undefined) return pending;
    const isAbsent = (path: PlainPath): boolean => this.#read(path, value) === MISSING;
    try {
      const result = runExpression(node, value, this.#scope.variables);
      const isNothing = result === null && node.reads.length > 0 && node.reads.every(isAbsent);
      return isNothing ? MISSING : result;
    } catch (error) {
      if (node.reads.some(isAbsent)) return MISSING;
      const reason = thrownMessage(error);
      throw new MappingError(at, `"${node.text}" cannot be evaluated: ${reason}`);
    }
  }

  #pendingIn({ reads, variables }: ExpressionNode, value: unknown): Pending | undefined {
    for (const path of [...reads, ...variables]) {
      const found = this.#read(path, value);
      if (found instanceof Pending) return found;
    }
    return undefined;
  }

  #object(
    fields: readonly (readonly [string, PreparedMapping])[],
    value: unknown,
    at: string,
  ): unknown {
    const result: Record<string, unknown> = {};
    for (const [key, field] of fields) {
      const path = at === "" ? key : `${at}.${key}`;
      const member = this.run(field, value, path);
      if (member === MISSING) this.missing.add(path);
      else setOwn(result, key, member);
    }
    return result;
  }

  #list(items: readonly PreparedMapping[], value: unknown, at: string): unknown {
    const values = items.map((item) => this.run(item, value, at));
    if (values.includes(MISSING)) this.missing.add(at);
    return values.filter((item) => item !== MISSING);
  }

  #inside(node: InsideNode, value: unknown, at: string): unknown {
    const within = this.run(node.of, value, at);
    if (isNothingToEnter(within)) return within;
    if (node.is === "from") return this.run(node.value, within, at);
    if (!Array.isArray(within))
      throw new MappingError(at, "needs a list, but the answer has another value there");
    return this.#items(node.value, within, at === "" ? "*" : `${at}.*`);
  }

  /** Omits null items, as JMESPath does. They stand for items that the caller may not see. */
  #items(node: PreparedMapping, items: readonly unknown[], at: string): unknown {
    const results: unknown[] = [];
    for (const item of items) {
      if (item === null) continue;
      const result = this.run(node, item, at);
      if (result === MISSING) this.missing.add(at);
      else results.push(result);
    }
    return results;
  }

  #map(node: MapNode, value: unknown, at: string): unknown {
    const of = this.run(node.of, value, at);
    if (of === MISSING || of instanceof Pending) return of;
    return Array.isArray(of)
      ? of.map((item) => listedValue(node, item, at))
      : listedValue(node, of, at);
  }

  #text(node: TextNode, value: unknown, at: string): unknown {
    let text = "";
    for (const part of node.parts) {
      const piece = typeof part === "string" ? part : this.run(part, value, at);
      if (piece === MISSING) return MISSING;
      const plain = piece === null ? "" : scalarText(piece);
      if (plain === undefined)
        throw new MappingError(
          at,
          "must not be a list or an object, because it is part of a string",
        );
      text += plain;
    }
    return text;
  }

  #call(node: CallNode, value: unknown, at: string): unknown {
    const { functions = {}, variables } = this.#scope;
    if (!Object.hasOwn(functions, node.name)) {
      throw new Error(
        `the card calls the function ${node.name}, which is missing; pass it in the functions of its kit`,
      );
    }
    const of = this.run(node.of, value, at);
    if (of === MISSING || of instanceof Pending) return of;
    const params = (variables["params"] ?? {}) as Record<string, unknown>;
    try {
      const result = functions[node.name]!(of, params);
      return result === undefined ? MISSING : result;
    } catch (error) {
      // The function got a value of the wrong type.
      if (error instanceof TypeError)
        throw new MappingError(at, `the function ${node.name} does not accept this value`);
      throw error;
    }
  }
}
