import { expect, it } from "vitest";
import { cards } from "./cards.ts";

/** GitHub's largest page size for lists where it is not 100. */
const LARGEST: Readonly<Record<string, number>> = {
  "notification.list": 50,
  "variable.list": 30,
};

it("every GitHub list limits its page size to GitHub's maximum", () => {
  const pages = cards.summaries.flatMap(({ id }) => {
    const properties = cards.cardById(id)!.inputSchema as { properties?: Record<string, object> };
    const first = properties.properties?.["first"];
    return first === undefined ? [] : [[id, first] as const];
  });
  expect(pages.length).toBeGreaterThan(30);
  for (const [id, first] of pages) {
    expect([id, first]).toMatchObject([id, { minimum: 1, maximum: LARGEST[id] ?? 100 }]);
  }
});
