import type { Decorator, Expression } from "oxc-parser";
import { OP } from "../symbols/facts/ops.ts";
import type { Extraction } from "../symbols/extract/extraction.ts";
import { literalText } from "../modules/literal-text.ts";
import { textMember } from "./objects.ts";

/** An imported decorator, such as `@Get("x")`. */
export interface ImportedDecorator {
  readonly name: string;
  readonly specifier: string;
  readonly arguments: readonly Expression[];
  readonly start: number;
}

export function importedDecorators(x: Extraction, list: readonly Decorator[]): ImportedDecorator[] {
  return list.flatMap(({ expression, start }) => {
    const call = expression.type === "CallExpression" ? expression : undefined;
    const callee = call?.callee ?? expression;
    if (callee.type !== "Identifier") return [];
    const node = x.scopes.value(callee.name);
    const { code } = x.writer;
    if (node === undefined || code[node] !== OP.imported) return [];
    const given = (call?.arguments ?? []).filter((one) => one.type !== "SpreadElement");
    return [
      {
        name: x.writer.textAt(code[node + 2]!),
        specifier: x.writer.textAt(code[node + 1]!),
        arguments: given,
        start,
      },
    ];
  });
}

/**
 * The strings in a decorator's arguments: one, a list, or those of an option. Without any, one
 * empty string.
 */
export function decoratorStrings([first]: readonly Expression[], option: string): string[] {
  if (!first) return [""];
  if (first.type === "ArrayExpression") {
    return first.elements.flatMap((part) => (part && literalText(part)) ?? []);
  }
  if (first.type === "ObjectExpression") return [textMember(first, option) ?? ""];
  const text = literalText(first);
  return text === undefined ? [] : [text];
}
