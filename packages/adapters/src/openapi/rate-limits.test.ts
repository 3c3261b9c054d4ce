import type { AccountLimit, LimitStore } from "@waybill/core/cards";
import { expect, it } from "vitest";
import { describing, waybillOf } from "./fixtures/describe-api.ts";
import { serve } from "./fixtures/echo-server.ts";
import type { OpenApiOptions } from "./index.ts";

/** An API that answers every request with a given status and counts the requests. */
async function api(status: number, headers: Record<string, string>) {
  let requests = 0;
  const server = await serve((_request, response) => {
    requests += 1;
    response.writeHead(status, headers).end();
  });
  const open = (more: Partial<OpenApiOptions> = {}) =>
    waybillOf(describing({}, {}, "/things", "get"), { server, ...more });
  return { open, count: () => requests };
}

/** A store of limits that several processes share. */
function sharedStore(): LimitStore {
  const kept = new Map<string, AccountLimit[]>();
  return {
    read: async (account) => kept.get(account) ?? [],
    add: async (account, limit) => void kept.set(account, [...(kept.get(account) ?? []), limit]),
  };
}

it.each([429, 503])(
  "after an API answers %i with a Retry-After, no further request is sent to it during the wait",
  async (status) => {
    const { open, count } = await api(status, { "retry-after": "600" });
    const waybill = open();
    const first = await waybill.execute("api.op");
    expect(first.error?.details).toMatchObject({ status });
    for (let call = 0; call < 9; call++) {
      const { error } = await waybill.execute("api.op");
      expect(error).toMatchObject({ code: "RATE_LIMIT" });
      expect(error?.details?.["retry_after_ms"]).toBeGreaterThan(500_000);
    }
    expect(count()).toBe(1);
  },
);

it("two processes share the rate limit of an account, and another account has its own limit", async () => {
  const { open, count } = await api(429, { "retry-after": "600" });
  const store = sharedStore();
  for (const account of ["ada", "ada", "bob"]) {
    const { error } = await open({ rateLimits: { account, store } }).execute("api.op");
    expect(error).toMatchObject({ code: "RATE_LIMIT" });
  }
  expect(count()).toBe(2);
});

it("the next call is sent at once after a rate limit response without a Retry-After", async () => {
  const { open, count } = await api(403, {});
  const waybill = open();
  for (let call = 0; call < 2; call++) await waybill.execute("api.op");
  expect(count()).toBe(2);
});
