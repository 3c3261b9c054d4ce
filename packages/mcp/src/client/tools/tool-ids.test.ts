import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolIds } from "./tool-ids.ts";

function ids(...names: string[]): (string | undefined)[] {
  const found = toolIds("src", names);
  return names.map((name) => found.get(name));
}

describe("toolIds", () => {
  it("a valid tool name becomes an id unchanged, after the name of the source", () => {
    expect(ids("read_file", "get-x", "issues.list")).toEqual([
      "src.read_file",
      "src.get-x",
      "src.issues.list",
    ]);
  });

  it.each([
    ["two words", "src.two_words"],
    ["a/b:c", "src.a_b_c"],
    ["..x..y.", "src.x.y"],
    ["\u001B[0mbell\u0007", "src._0mbell"],
  ])("toolIds gives the tool %j the id %s", (name, id) => {
    expect(ids(name)).toEqual([id]);
  });

  it("if several tool names give one id, the exact name gets that id and the other names get a digest", () => {
    const [plain, spaced, slashed] = ids("a_b", "a b", "a/b");
    expect(plain).toBe("src.a_b");
    expect(spaced).toMatch(/^src\.a_b-[0-9a-f]{8}$/u);
    expect(slashed).toMatch(/^src\.a_b-[0-9a-f]{8}$/u);
    expect(spaced).not.toBe(slashed);
  });

  it("toolIds gives ids that are valid, unique and independent of the order of tools, for any names", () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 90, unit: "binary" }), { maxLength: 8 });
    fc.assert(
      fc.property(names, (given) => {
        const found = toolIds("source", given);
        const all = [...found.values()];
        expect(new Set(all).size).toBe(given.length);
        expect(all.every((id) => id.length <= 64 && /^[\w-]+(?:\.[\w-]+)+$/u.test(id))).toBe(true);
        expect(toolIds("source", given.toReversed())).toEqual(found);
      }),
    );
  });
});
