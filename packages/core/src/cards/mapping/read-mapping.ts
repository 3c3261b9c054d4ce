import { isRecord, thrownMessage } from "../../envelope/index.ts";
import { pointerKey } from "../../schema/index.ts";
import type { Mapping } from "../card.ts";
import { loadExpressions, prepareExpression } from "./expressions.ts";
import type { PreparedMapping } from "./prepared-mapping.ts";
import { readTemplate } from "./template.ts";
import { readWord, findWord } from "./keywords.ts";

/** A mistake in a mapping, with its position. */
export interface MappingProblem {
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

const MAX_DEPTH = 32;
const MAX_NODES = 5_000;
const NOTHING: PreparedMapping = { is: "constant", value: null };

/** Parses mappings and collects all errors in them. */
export class MappingReader {
  readonly problems: MappingProblem[] = [];
  #nodesLeft = MAX_NODES;
  #depth = 0;

  read(mapping: unknown, pointer: string): PreparedMapping {
    this.#nodesLeft -= 1;
    if (this.#nodesLeft < 0)
      return this.refuse(pointer, `has more than ${MAX_NODES} parts; make it smaller`);
    if (this.#depth >= MAX_DEPTH)
      return this.refuse(pointer, `nests deeper than ${MAX_DEPTH} levels; flatten it`);
    this.#depth += 1;
    const prepared = this.#readAny(mapping, pointer);
    this.#depth -= 1;
    return prepared;
  }

  #readAny(mapping: unknown, pointer: string): PreparedMapping {
    if (typeof mapping === "string") return this.expression(mapping, pointer);
    if (Array.isArray(mapping)) {
      const items = mapping.map((item, index) => this.read(item, pointer + pointerKey(index)));
      return { is: "list", items };
    }
    if (isRecord(mapping)) {
      const word = findWord(mapping);
      return word === undefined
        ? this.members(mapping, pointer)
        : readWord(this, word, mapping, pointer);
    }
    const isConstant = mapping === null || typeof mapping === "boolean" || Number.isFinite(mapping);
    return isConstant
      ? { is: "constant", value: mapping }
      : this.refuse(pointer, "must be a string, a number, a boolean, null, a list or an object");
  }

  /** Reads an object whose names are all plain members. */
  members(mapping: unknown, pointer: string): PreparedMapping {
    if (!isRecord(mapping)) return this.refuse(pointer, "must be an object");
    const fields = Object.entries(mapping).map(
      ([key, member]) => [key, this.read(member, pointer + pointerKey(key))] as const,
    );
    return { is: "object", fields };
  }

  expression(text: unknown, pointer: string): PreparedMapping {
    if (typeof text !== "string") return this.refuse(pointer, "must be an expression");
    try {
      return prepareExpression(text);
    } catch (error) {
      const reason = thrownMessage(error);
      return this.refuse(pointer, `"${text.slice(0, 120)}" is not a valid expression: ${reason}`);
    }
  }

  /** Reads text with expressions in braces. */
  template(text: unknown, pointer: string): PreparedMapping {
    if (typeof text !== "string") return this.refuse(pointer, "must be a string");
    const parts = readTemplate(text);
    if (parts === undefined) return this.refuse(pointer, `"${text}" has an unmatched brace`);
    return {
      is: "text",
      parts: parts.map((part) =>
        typeof part === "string" ? part : this.expression(part.expression, pointer),
      ),
    };
  }

  refuse(pointer: string, message: string): PreparedMapping {
    this.problems.push({ pointer, message });
    return NOTHING;
  }
}

/** Writes `/input/title` as `input.title`. */
export function lastPointerPart(pointer: string): string {
  return pointer.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Parses a mapping. Throws a TypeError with the key and the expression that cannot be parsed. */
export async function prepareMapping(mapping: Mapping): Promise<PreparedMapping> {
  await loadExpressions();
  const reader = new MappingReader();
  const prepared = reader.read(mapping, "");
  const [problem] = reader.problems;
  if (problem !== undefined) {
    throw new TypeError(`${lastPointerPart(problem.pointer) || "the mapping"}: ${problem.message}`);
  }
  return prepared;
}
