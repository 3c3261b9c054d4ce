import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { cardTable, prepareCard } from "@waybill/core/cards";
import type { Card } from "@waybill/core";
import type { CardTable, PreparedCard } from "@waybill/core/cards";
import { cardsModule } from "./index.ts";

function card(id: string, description: string): Promise<PreparedCard> {
  const data: Card = {
    capability_id: id,
    version: "1.0.0",
    description,
    effect: "read",
    input_schema: { type: "object", properties: { name: { type: "string" } } },
    output_schema: { type: "object" },
    routing: { preferred: "rest", fallbacks: [] },
    rest: { method: "GET", path: "/x/{name}", output: { a: "b || 'it\\'s'" } },
  };
  return prepareCard(data);
}

/** Runs the text of the module as JavaScript, after removing its types. */
function run(text: string): CardTable {
  const plain = text
    .replaceAll(/^import .*$/gm, "")
    .replace(" as readonly OperationSummary[]", "")
    .replace("export const cards: CardTable =", "return");
  // oxlint-disable-next-line typescript/no-implied-eval -- the text under test is a program
  const make = new Function("cardTable", plain) as (table: typeof cardTable) => CardTable;
  return make(cardTable);
}

const awkward = 'It\'s "quoted" \\ \u2028 é 😀 ` ${x} </script>';

describe("cardsModule", () => {
  it("cardsModule returns the source of a module that exports the given cards, sorted by id", async () => {
    const cards = [await card("b.two", awkward), await card("a.one", "One")];
    const table = run(cardsModule(cards));
    expect(table.summaries.map(({ id }) => id)).toEqual(["a.one", "b.two"]);
    expect(table.summaries[1]).toEqual({
      id: "b.two",
      description: awkward,
      effect: "read",
      idempotent: true,
      kind: "call",
      parameters: ["name"],
    });
    expect(table.cardById("b.two")).toEqual(cards[0]);
    expect(table.cardById("b.two")).toBe(table.cardById("b.two"));
    expect(table.cardById("toString")).toBeUndefined();
  });

  it("cardsModule returns the same source for the same cards in any order", async () => {
    const cards = [await card("b.two", "Two"), await card("a.one", "One")];
    expect(cardsModule(cards)).toBe(cardsModule(cards.toReversed()));
  });

  it("cardsModule returns source that oxfmt would not change", async () => {
    const text = cardsModule([await card("b.two", awkward), await card("a.one", "One")]);
    const formatted = execFileSync(
      process.execPath,
      ["node_modules/oxfmt/bin/oxfmt", "--stdin-filepath=cards.ts"],
      { input: text, encoding: "utf8" },
    );
    expect(text).toBe(formatted);
  });
});
