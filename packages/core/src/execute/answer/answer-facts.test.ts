import { expect, it } from "vitest";
import { localEnvelope } from "../../envelope/index.ts";
import type { AnswerMeta } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { createWaybill } from "../index.ts";

function answering(answer: AnswerMeta) {
  return createWaybill({
    operations: [
      defineOperation({
        id: "list.all",
        description: "Lists",
        effect: "read",
        handler: () => localEnvelope([1], "list.all", answer),
      }),
    ],
  });
}

it("an answer contains the pagination, truncation, limits and next calls that the handler returns in its meta", async () => {
  const pagination = { has_next_page: true, end_cursor: "c", total: 9 };
  const next = [{ capability_id: "list.all", params: {}, reason: "more" }];
  const waybill = answering({ pagination, truncated: true, limits: { maxItems: 1 }, next });
  const { meta } = await waybill.execute("list.all", {});
  expect(meta).toMatchObject({ pagination, truncated: true, limits: { maxItems: 1 }, next });
});

it("a handler cannot change the capability id in the meta of its answer", async () => {
  const waybill = answering({ truncated: false, capability_id: "other.id" } as AnswerMeta);
  const { meta } = await waybill.execute("list.all", {});
  expect(meta.capability_id).toBe("list.all");
});
