// @isolated: it checks that the library is not loaded before it is needed.
import { describe, expect, it } from "vitest";
import { buildRequest, cardReady, cardSpec, mapOutput, prepareCard } from "./index.ts";
import type { Card, PreparedCard } from "./index.ts";

const base: PreparedCard = {
  id: "thing.view",
  version: "1.0.0",
  description: "One thing",
  effect: "read",
  idempotent: true,
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
  outputSchema: { type: "object" },
  order: ["rest"],
  suitability: [],
  parts: {},
  lookups: {},
  include: {},
  facts: [],
  usesExpressions: false,
};
const path = [{ parts: [["id"]] }] as const;
const rest = { kind: "rest", method: "GET", path, headers: {}, lookups: [] } as const;
const plain: PreparedCard = {
  ...base,
  parts: { rest: [{ ...rest, output: ["a"] }] },
};
const tree = { type: "NotExpression", child: { type: "Field", name: "a" } };
const wordy: PreparedCard = {
  ...base,
  usesExpressions: true,
  parts: {
    rest: [{ ...rest, output: { is: "expression", text: "!a", tree, reads: [], variables: [] } }],
  },
};

// The first test must run before anything has loaded the library.
describe("preparing a card", () => {
  it("a prepared card loads the JMESPath library only if a mapping has more than plain paths", async () => {
    expect(cardReady(plain)).toBeUndefined();
    expect(buildRequest(plain, "rest", { params: { id: "7" } })).toMatchObject({ path: "/7" });
    expect(mapOutput(plain, "rest", { a: 1 }, { params: {} }).data).toBe(1);
    expect(() => mapOutput(wordy, "rest", { a: 1 }, { params: {} })).toThrow("loadExpressions");
    await cardReady(wordy);
    expect(mapOutput(wordy, "rest", { a: 1 }, { params: {} }).data).toBe(false);
    expect(cardReady(wordy)).toBeUndefined();
  });

  it("cardSpec returns the operation that the card describes", () => {
    expect(cardSpec({ ...plain, notes: ["n"], aliases: { id: ["i"] } })).toMatchObject({
      id: "thing.view",
      kind: "call",
      parameters: ["id"],
      notes: ["n"],
      aliases: { id: ["i"] },
    });
  });

  it("prepareCard refuses a card whose mapping does not parse", async () => {
    const card: Card = {
      capability_id: "thing.view",
      version: "1.0.0",
      description: "One thing",
      effect: "read",
      input_schema: {},
      output_schema: {},
      routing: { preferred: "rest", fallbacks: [] },
      rest: { method: "GET", path: "/x", output: { a: "b[" } },
    };
    await expect(prepareCard(card)).rejects.toThrow(
      'thing.view rest.output.a: "b[" is not a valid expression',
    );
  });
});
