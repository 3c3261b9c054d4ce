import { describe, expect, it } from "vitest";
import { createWaybill, defineOperation, localSource } from "../index.ts";
import { outsideSchema, outsideText } from "./outside-text.ts";

/** Characters that an attacker hides in text: see "ASCII smuggling" and "Trojan Source". */
const HIDDEN: readonly [string, string][] = [
  ["an escape sequence", "\u001B[2Ja"],
  ["a bell and a backspace", "a\u0007\u0008"],
  ["a direction override", "\u202Ea\u202C"],
  ["direction isolates", "\u2066a\u2069"],
  ["direction marks", "\u200Ea\u200F\u061C"],
  ["zero-width characters", "\u200Ba\u200C\u200D\u2060\uFEFF"],
  ["a soft hyphen", "\u00ADa"],
  ["tags", "a\u{E0069}\u{E0067}\u{E006E}"],
  ["variation selectors", "a\uFE0F\u{E0101}\u{E01EF}"],
  ["invisible letters", "\u3164a\u115F\uFFA0"],
  ["line separators", "\u2028a\u2029"],
  ["half a character", "a\uD83D"],
];

describe("text from outside", () => {
  it.each(HIDDEN)("outsideText removes %s", (_name, text) => {
    expect(outsideText(text).replaceAll("[2J", "")).toBe("a");
  });

  it("outsideText keeps lines, tabs, letters of any script and whole emoji", () => {
    const text = "Größe\tπ\n日本語 😀 नमस्ते";
    expect(outsideText(text)).toBe(text);
  });

  it("outsideText cuts a text to its limit, never inside a character", () => {
    expect(outsideText("x".repeat(5_000))).toHaveLength(4_000);
    expect(outsideText("😀😀", 3)).toBe("😀…");
    expect(outsideText("😀😀😀", 4)).toBe("😀…");
  });

  it("outsideSchema removes hidden characters from descriptions and titles, and from nothing else", () => {
    const schema = {
      description: "a\u202E",
      properties: { description: { const: "b\u202E", title: "c\u200B" } },
      enum: ["d\u200B"],
    };
    expect(outsideSchema(schema)).toEqual({
      description: "a",
      properties: { description: { const: "b\u202E", title: "c" } },
      enum: ["d\u200B"],
    });
    const clean = { description: "a", properties: { b: { title: "c" } } };
    expect(outsideSchema(clean)).toBe(clean);
  });

  it("outsideSchema does not loop on a schema that contains itself", () => {
    const schema: Record<string, unknown> = { description: "a\u200B" };
    schema["properties"] = { self: schema };
    expect(outsideSchema(schema)).toMatchObject({ description: "a" });
  });

  it("descriptions of any source have no hidden characters in lists, explanations and specs", async () => {
    const spec = {
      id: "shop.buy",
      description: "Buy\u202E a\u200B thing.",
      effect: "write" as const,
      inputSchema: { type: "object", properties: { sku: { description: "Which\u200B one" } } },
    };
    const { spec: whole } = defineOperation({
      id: spec.id,
      description: spec.description,
      effect: spec.effect,
      input: spec.inputSchema,
      handler: () => null,
    });
    const source = localSource("shop", [
      { spec: { ...whole, notes: ["No\u2066te"] }, run: { kind: "local", handler: () => null } },
    ]);
    const waybill = createWaybill({ sources: [source] });
    const all = JSON.stringify([
      await waybill.list_capabilities(),
      await waybill.explain("shop.buy"),
      (await waybill.operations()).map(({ id, description, inputSchema }) => [
        id,
        description,
        inputSchema,
      ]),
    ]);
    expect(all).toContain("Buy a thing.");
    expect(all).not.toMatch(/[\u200B\u202E\u2066]/u);
  });
});
