import { isRecord } from "@waybill/core/schema";
import { describe, expect, it, onTestFinished } from "vitest";
import { cards } from "./cards.ts";
import { explainCapability } from "./explain.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import { SAME_NAMES, namedOutput } from "./same-names.ts";

/** The member names of every object in a schema. */
function objectsIn(schema: unknown): string[][] {
  if (!isRecord(schema)) return [];
  const { properties, items } = schema;
  const own = isRecord(properties) ? [Object.keys(properties)] : [];
  const inside = isRecord(properties) ? Object.values(properties).flatMap(objectsIn) : [];
  return [...own, ...inside, ...objectsIn(items)];
}

describe("consistent output names", () => {
  it.each(cards.summaries.map(({ id }) => id))(
    "the output of %s uses the field names that all GitHub capabilities share",
    (id) => {
      for (const names of objectsIn(namedOutput(cards.cardById(id)!.outputSchema))) {
        const lacking = names.filter((name) => !names.includes(SAME_NAMES[name] ?? name));
        expect(lacking).toEqual([]);
      }
    },
  );

  it("select finds a field by its shared name and by its older name", async () => {
    const embedded = await startEmbedded();
    onTestFinished(() => embedded.close());
    for (const [id, params, older, usual] of [
      ["issue.comments.list", { number: 1 }, "items.authorLogin", "items.author"],
      ["release.list", {}, "items.tagName", "items.tag"],
      ["pr.checks.list", { number: 6 }, "items.link", "items.url"],
      ["issue.lock", { number: 1 }, "issueNumber", "number"],
    ] as const) {
      const select = [older, usual];
      const asked = { repo: "octo/hello", ...params };
      const { data, error } = await embedded.waybill.execute(id, asked, { select });
      expect([id, error]).toEqual([id, null]);
      const items: unknown = isRecord(data) ? data["items"] : undefined;
      const first: unknown = Array.isArray(items) ? items[0] : data;
      const values: unknown[] = Object.values(first as object);
      expect([id, values.length, new Set(values).size]).toEqual([id, 2, 1]);
    }
  });

  it("the explanation of a GitHub capability shows the shared field names", () => {
    const { output_fields } = explainCapability("issue.comments.list")!;
    expect(JSON.stringify(output_fields)).toContain("author");
  });
});
