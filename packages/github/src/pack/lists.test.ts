import { isRecord } from "@waybill/core/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cards } from "./cards.ts";
import { cases } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";

/** The fields of the items that a list capability returns; undefined for other capabilities. */
function itemFields(id: string): readonly string[] | undefined {
  const schema = cards.cardById(id)?.outputSchema;
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  const items = isRecord(properties) ? properties["items"] : undefined;
  const item = isRecord(items) ? items["items"] : undefined;
  const fields = isRecord(item) ? item["properties"] : undefined;
  return isRecord(fields) ? Object.keys(fields) : undefined;
}

const LISTS = cards.summaries.map(({ id }) => id).filter((id) => itemFields(id) !== undefined);

/** Capabilities that list issues or pull requests, under any name. */
const OF_ISSUES = LISTS.filter((id) => {
  const fields = itemFields(id)!;
  const isOfIssues =
    fields.includes("state") && fields.includes("number") && id !== "milestone.list";
  return isOfIssues || fields.includes("contentNumber");
});

let embedded: Embedded;
beforeAll(async () => {
  embedded = await startEmbedded();
});
afterAll(() => embedded.close());

describe("every list", () => {
  it.each(LISTS)("the list %s returns has_next_page", async (id) => {
    const one = cases.find((each) => each.id === id && each.include === undefined)!;
    one.prepare?.(embedded.github);
    const params = typeof one.params === "function" ? one.params(embedded.github) : one.params;
    const { error, meta } = await embedded.waybill.execute(id, { ...params });
    expect(error).toBeNull();
    expect(typeof meta.pagination?.has_next_page).toBe("boolean");
  });

  it.each(OF_ISSUES)("the list %s offers labels and assignees as output fields", (id) => {
    expect(itemFields(id)).toEqual(expect.arrayContaining(["labels", "assignees"]));
  });

  it("issue.list, pr.list, project_v2.items.list and search.prs count as lists of issues", () => {
    expect(OF_ISSUES).toEqual(
      expect.arrayContaining(["issue.list", "pr.list", "project_v2.items.list", "search.prs"]),
    );
  });
});
