import { describe, expect, it } from "vitest";
import { createWaybill, fail, localEnvelope, localSource } from "../index.ts";
import { oneRouteOperation } from "../cards.ts";
import type { OperationSpec, ResultEnvelope } from "../index.ts";
import type { OneRoute } from "../cards.ts";

const spec: OperationSpec = {
  id: "shop.order",
  description: "Orders a thing",
  effect: "write",
  idempotent: false,
  kind: "call",
  inputSchema: { type: "object", properties: { thing: { type: "string" } } },
  outputSchema: { type: "object" },
};

function order(one: Partial<OneRoute>) {
  const route: OneRoute = {
    spec,
    route: "rest",
    host: "shop.example",
    send: async ({ params: { thing } }) => ({
      response: localEnvelope({ thing }, spec.id),
      upstreamRequests: 1,
    }),
    describe: ({ params: { thing } }) => ({ method: "POST", body: { thing } }),
    ...one,
  };
  const sources = [localSource("shop", [oneRouteOperation(route)])];
  return async (options = {}): Promise<ResultEnvelope> => {
    const waybill = createWaybill({ sources });
    return waybill.execute("shop.order", { thing: "pen" }, options);
  };
}

const refuse: OneRoute["send"] = () => Promise.reject(new Error("sent"));
const preflight = async () => ({ code: "TOKEN_MISSING", hint: "set SHOP_TOKEN" }) as const;

describe("operations with one route", () => {
  it("an operation with one route is called through the router", async () => {
    const { data, meta } = await order({})({ trace: true });
    expect(data).toEqual({ thing: "pen" });
    expect(meta).toMatchObject({ route_used: "rest", reason: "DEFAULT_POLICY" });
  });

  it("a dry run of an operation with one route shows the request and sends nothing", async () => {
    const { data } = await order({ send: refuse })({ dry_run: true });
    expect(data).toEqual({ requests: [{ route: "rest", method: "POST", body: { thing: "pen" } }] });
  });

  it("a write on one route is repeated after the outcome not_applied, but not after the outcome unknown", async () => {
    let sent = 0;
    const failing = (outcome: "unknown" | "not_applied") => async () => {
      sent += 1;
      if (sent > 1) return { response: localEnvelope({ sent }, spec.id), upstreamRequests: 1 };
      throw fail("NETWORK", "lost", { outcome });
    };
    const lost = await order({ send: failing("unknown") })();
    expect(lost.error).toMatchObject({ code: "NETWORK", details: { outcome: "unknown" } });
    expect(sent).toBe(1);
    sent = 0;
    expect((await order({ send: failing("not_applied") })()).data).toEqual({ sent: 2 });
  });

  it("an operation whose only route fails its preflight check returns the reason", async () => {
    const { error } = await order({ preflight })();
    expect(error).toMatchObject({ code: "AUTH", details: { outcome: "not_applied" } });
    expect(error?.message).toContain("set SHOP_TOKEN");
    expect((await order({ preflight })({ dry_run: true })).error?.code).toBe("AUTH");
  });

  it("an operation with one route refuses any other route", async () => {
    const { error } = await order({})({ route: "graphql" });
    expect(error).toMatchObject({ code: "VALIDATION" });
    expect(error?.message).toContain("it has rest");
  });
});
