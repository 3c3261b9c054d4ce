import { describe, expect, it } from "vitest";
import { Interner, Strings } from "./strings.ts";

/** Saves the strings and reads them back. */
function reopened(texts: readonly string[]): Strings {
  const interner = new Interner();
  for (const text of texts) interner.idOf(text);
  const { bytes, starts } = interner.finish();
  return new Strings(bytes, starts);
}

describe("strings of a saved graph", () => {
  it.each([
    ["ASCII only", ["", "src/a.ts", "getUserView", "a b"]],
    ["more than ASCII", ["", "src/größe.ts", "π", "naïve", "plain", "名前"]],
    ["no strings", []],
  ])("the strings of a saved graph are read back unchanged: %s", (_name, texts) => {
    const strings = reopened(texts);
    expect(strings.count).toBe(texts.length);
    const ids = texts.map((_, id) => id);
    expect(ids.toReversed().map((id) => strings.get(id))).toEqual(texts.toReversed());
    expect(texts.map((text) => strings.find(text))).toEqual(ids);
    expect(strings.find("what was never there")).toBeUndefined();
  });
});
