import * as library from "@jmespath-community/jmespath";
import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedSearch } from "./index.ts";

function ours(expression: string, value: unknown): unknown {
  return boundedSearch(library, library.compile(expression), value);
}

describe("text functions of expressions", () => {
  it.each(["trim", "trim_left", "trim_right"])(
    "the JMESPath function %s returns what the JMESPath library returns",
    (name) => {
      const texts = string({
        unit: constantFrom(" ", "\n", "a", "-", "\u0085", "é"),
        maxLength: 8,
      });
      const characters = constantFrom("", ", '-'", ", 'a -'", ", 'é'");
      assert(
        property(texts, characters, (text, given) => {
          const expression = `${name}(@${given})`;
          expect(ours(expression, text)).toBe(library.search(text, expression));
        }),
        { seed: 7 },
      );
    },
  );

  it("the JMESPath function replace changes only the given number of occurrences", () => {
    expect(ours("replace(@, 'a', 'b', `2`)", "aaa")).toBe("bba");
    expect(ours("replace(@, 'a', 'aa', `2`)", "aba")).toBe("aabaa");
    expect(ours("replace(@, 'a', 'b', `0`)", "aaa")).toBe("aaa");
    expect(ours("replace(@, 'a', 'b')", "aaa")).toBe("bbb");
  });

  it("the JMESPath functions trim and replace return at once for inputs that would block the library or fill the memory", () => {
    const spaces = `${" ".repeat(200_000)}\nx`;
    expect(ours("trim_right(@)", spaces)).toBe(spaces);
    expect(ours("replace(@, 'a', 'b', `3000000000`)", "aaa")).toBe("bbb");
    expect(ours("replace(@, 'a', '$`$&$&', `60`)", "aaaa")).toBe("$`$&$&".repeat(4));
  });

  it("the JMESPath text functions refuse the arguments that the library refuses", () => {
    expect(() => ours("trim(@)", 1)).toThrow("trim");
    expect(() => ours("replace(@, 'a', 'b', `-1`)", "aaa")).toThrow("invalid");
    expect(() => ours("replace(@, 'a', 'b', `1.5`)", "aaa")).toThrow("invalid");
  });
});
