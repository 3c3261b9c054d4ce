import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { cardOperation } from "../../router/index.ts";
import type { CardRoute } from "../../router/index.ts";
import { localSource } from "../../source/index.ts";
import { createWaybill } from "../index.ts";
import type { Waybill } from "../index.ts";

const view: Card = {
  capability_id: "repo.view",
  version: "1.0.0",
  description: "Show a repository",
  effect: "read",
  input_schema: { type: "object" },
  output_schema: { type: "object" },
  routing: { preferred: "rest", fallbacks: [] },
  rest: { method: "GET", path: "/repo", output: { name: "name" } },
};
const rename: Card = {
  ...view,
  capability_id: "repo.rename",
  effect: "write",
  rest: { method: "POST", path: "/repo", output: { name: "name" } },
  verify: { capability: "repo.view", params: {}, same: { name: "'new'" } },
};
const nested = defineOperation({
  id: "repo.describe",
  description: "Calls another",
  effect: "read",
  handler: async (_input, context) => (await context.call("repo.view")).data,
});

/**
 * An upstream whose reads fail the given number of times before they answer, and whose writes
 * lose their answer.
 */
function flaky(failures: number): CardRoute & { reads: number } {
  const route = {
    route: "rest" as const,
    needs: [],
    reads: 0,
    async send(request: Parameters<CardRoute["send"]>[0]) {
      const isRead = request.kind === "rest" && request.method === "GET";
      if (!isRead) throw fail("NETWORK", "lost", { outcome: "unknown" });
      route.reads += 1;
      if (route.reads <= failures) throw fail("SERVER", "busy", { status: 503 });
      const meta = { statusCode: 200, headers: {}, contentType: "" };
      return { response: httpEnvelope({ name: "new" }, meta), upstreamRequests: 1 };
    },
    describe: (request: object) => request,
  };
  return route;
}

async function waybillOver(route: CardRoute, maxAttempts: number, isSource = false) {
  const cards = await Promise.all([view, rename].map((card) => prepareCard(card)));
  const operations = [...cards.map((card) => cardOperation(card, { routes: [route] })), nested];
  const retry = { maxAttempts, baseDelayMs: 0 };
  return isSource
    ? createWaybill({ sources: [localSource("cards", operations)], retry })
    : createWaybill({ operations, retry });
}

const callers: readonly (readonly [string, (waybill: Waybill) => Promise<{ ok: boolean }>])[] = [
  ["a nested read", (waybill) => waybill.execute("repo.describe")],
  ["a verify probe", (waybill) => waybill.execute("repo.rename")],
];

describe.each(callers)("retries of %s", (_name, call) => {
  it.each([false, true])(
    "a read that a handler makes is retried as often as the Waybill's retry option says (read from a source: %s)",
    async (isSource) => {
      const patient = flaky(4);
      expect((await call(await waybillOver(patient, 5, isSource))).ok).toBe(true);
      expect(patient.reads).toBe(5);
      const once = flaky(1);
      expect((await call(await waybillOver(once, 1, isSource))).ok).toBe(false);
      expect(once.reads).toBe(1);
    },
  );
});
