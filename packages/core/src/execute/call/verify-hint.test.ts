import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../../test/support/stop-clock.ts";
import { prepareCard } from "../../cards/index.ts";
import type { Card } from "../../cards/index.ts";
import { fail, localEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import type { Effect } from "../../operation/index.ts";
import { cardOperation } from "../../router/index.ts";
import type { CardRoute } from "../../router/index.ts";
import { localSource } from "../../source/index.ts";
import { createWaybill } from "../index.ts";

const ANY_INPUT = { type: "object", additionalProperties: true };
const card: Card = {
  capability_id: "issue.create",
  version: "1.0.0",
  description: "Open an issue",
  effect: "write",
  input_schema: { type: "object", properties: { title: { type: "string" } } },
  output_schema: { type: "object", properties: { title: { type: "string" } } },
  routing: { preferred: "rest", fallbacks: [] },
  rest: { method: "POST", path: "/issues", body: { title: "title" }, output: { title: "title" } },
  verify: { capability: "issue.list", params: { search: "title" }, same: { title: "title" } },
};

const lostRoute: CardRoute = {
  route: "rest",
  needs: [],
  send: () => Promise.reject(fail("NETWORK", "reset", { outcome: "unknown" })),
  describe: () => ({}),
};

const send: CardRoute["send"] = async () => ({
  response: localEnvelope({ title: "Hello" }, "issue.create"),
  upstreamRequests: 1,
});

let listed = 0;

async function create(shown: object, effect: Effect = "read", output = card.output_schema) {
  listed = 0;
  const list = defineOperation({
    id: "issue.list",
    description: "Issues",
    effect,
    handler: () => {
      listed += 1;
      return localEnvelope(shown, "issue.list");
    },
  });
  const operation = cardOperation(await prepareCard({ ...card, output_schema: output }), {
    routes: [lostRoute],
  });
  // Uses a source, which must keep the routes of the operation.
  const waybill = createWaybill({ sources: [localSource("issues", [operation, list])] });
  return waybill.execute("issue.create", { title: "Hello" });
}

describe("a write whose response was lost", () => {
  it("the error for an unknown outcome names the read that can verify the write", async () => {
    const { error } = await create({ items: [] });
    expect(error).toMatchObject({
      code: "NETWORK",
      retryable: false,
      details: {
        outcome: "unknown",
        verify: { capability_id: "issue.list", params: { search: "Hello" } },
      },
    });
  });

  it("the error for an unknown outcome names no read if the card verifies with a request of its own", async () => {
    const verify = { rest: { path: "/issues/1", value: "@" }, same: { title: "title" } };
    const own = await prepareCard({ ...card, verify });
    const source = localSource("issues", [cardOperation(own, { routes: [lostRoute] })]);
    const { error } = await createWaybill({ sources: [source] }).execute("issue.create", {
      title: "Hello",
    });
    expect(error!.details).toMatchObject({ outcome: "unknown" });
    expect(error!.details).not.toHaveProperty("verify");
  });

  it("the hint to verify a write selects the fields to compare, if the read returns all of them", async () => {
    const properties = { title: {}, body: {}, author: {}, id: {}, number: {}, createdAt: {} };
    const item = { type: "object", properties };
    const list = defineOperation({
      id: "issue.list",
      description: "Issues",
      effect: "read",
      output: { type: "object", properties: { items: { type: "array", items: item } } },
      handler: () => localEnvelope({ items: [] }, "issue.list"),
    });
    const lookFor = async (same: Record<string, string>) => {
      const verify = { ...card.verify!, same, created: "createdAt" };
      const operation = cardOperation(
        await prepareCard({ ...card, input_schema: ANY_INPUT, verify }),
        { routes: [lostRoute] },
      );
      const waybill = createWaybill({ operations: [operation, list] });
      const params = { title: "Hello", body: "long ".repeat(40) };
      const { error } = await waybill.execute("issue.create", params);
      return error?.details?.["verify"];
    };
    const where = { capability_id: "issue.list", params: { search: "Hello" } };
    expect(await lookFor({ title: "title", body: "body", author: "viewer" })).toEqual({
      ...where,
      select: ["number", "createdAt", "title", "body", "author"].map((name) => `items.${name}`),
    });
    expect(await lookFor({ title: "title", labels: "title" })).toEqual(where);
  });

  it("a write whose response was lost is not verified by calling a capability that is a write", async () => {
    const { error } = await create({ items: [{ title: "Hello" }] }, "write");
    expect([listed, error?.details?.["outcome"]]).toEqual([0, "unknown"]);
  });

  it("a write whose response was lost stays unknown if a list shows a match that may be older", async () => {
    const { ok, error } = await create({ items: [{ title: "Hello" }] });
    expect([ok, listed, error?.details?.["outcome"]]).toEqual([false, 1, "unknown"]);
  });

  it("a lost write that is found by a read returns only the fields of its output schema", async () => {
    const { ok, data, meta } = await create({ title: "Hello", internal: "not promised" });
    expect([ok, data]).toEqual([true, { title: "Hello" }]);
    expect(meta.warnings).toEqual([expect.stringContaining("response to this write was lost")]);
  });

  it("a lost write that is found by a read is applied, even if the found object breaks the output schema", async () => {
    const output = { type: "object", required: ["url"] };
    const { ok, error } = await create({ title: "Hello", number: 7 }, "read", output);
    expect([ok, error?.retryable, error?.details]).toMatchObject([
      false,
      false,
      { outcome: "applied", partial: { title: "Hello", number: 7 } },
    ]);
  });
});

it("a verify read that hangs before a write is ended early enough for the write", async () => {
  const pass = stopClock();
  let looks = 0;
  const list = defineOperation({
    id: "issue.list",
    description: "Issues",
    effect: "read",
    handler: () => ((looks += 1), new Promise(() => {})),
  });
  const watched = { ...card, verify: { ...card.verify!, before: "title" } };
  const routes = [{ ...lostRoute, send }];
  const operations = [cardOperation(await prepareCard(watched), { routes }), list];
  const waybill = createWaybill({ operations });
  const call = waybill.execute("issue.create", { title: "Hello" }, { deadline_ms: 800 });
  await expect.poll(() => looks).toBe(1);
  await pass(250);
  const { error, data } = await call;
  expect([error, data]).toEqual([null, { title: "Hello" }]);
});
