import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import type { Route } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import { cardOperation, memoryJournal } from "../../router/index.ts";
import type { CardRoute, Journal, RouteAnswer } from "../../router/index.ts";
import { stopClock } from "../../../../../test/support/stop-clock.ts";
import { createWaybill } from "../index.ts";
import type { CallRecord, WaybillOptions } from "../index.ts";

const input_schema = { type: "object", properties: { name: { type: "string" } } } as const;
const output_schema = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" } },
} as const;
const common = { version: "1.0.0", description: "A card", input_schema, output_schema };
const routing = { preferred: "cli", fallbacks: ["rest"] } as const;
const rest = { method: "GET", path: "/{name}", output: { id: "id" } } as const;

const view: Card = {
  ...common,
  capability_id: "thing.view",
  effect: "read",
  routing,
  cli: { use: "rest" },
  rest,
};
const make: Card = {
  ...view,
  capability_id: "thing.make",
  effect: "write",
  rest: { ...rest, method: "POST" },
};
const twice: Card = {
  ...common,
  capability_id: "thing.twice",
  effect: "write",
  steps: [
    { id: "first", task: "thing.make", input: { name: "a" } },
    { id: "second", task: "thing.make", input: { name: "b" } },
  ],
  output: { id: "second.id" },
};

type Answer = Partial<RouteAnswer> & { readonly data: unknown };

/** A route that returns the given answers one after the other and counts the attempts. */
function fake(route: Route, tries: readonly (Answer | Error)[]): CardRoute & { sent: number } {
  const sender = {
    route,
    sent: 0,
    needs: [],
    async send(): Promise<RouteAnswer> {
      const answer = tries[Math.min(sender.sent, tries.length - 1)]!;
      sender.sent += 1;
      if (answer instanceof Error) throw answer;
      const { data, ...facts } = answer;
      const meta = { statusCode: 200, headers: {}, contentType: "" };
      return { response: httpEnvelope(data, meta), upstreamRequests: 1, ...facts };
    },
    describe: (request: object) => request,
  };
  return sender;
}

async function makeWaybill(routes: readonly CardRoute[], options: WaybillOptions = {}) {
  const cards = await Promise.all([view, make, twice].map((card) => prepareCard(card)));
  const operations = cards.map((card) => cardOperation(card, { routes }));
  const all = [...operations, ...(options.operations ?? [])];
  return createWaybill({ retry: { baseDelayMs: 0 }, ...options, operations: all });
}

const unfit = (id: string): Answer => ({ data: { id } });
const unknown = fail("NETWORK", "lost", { outcome: "unknown" });

describe("routes of a write", () => {
  it("a write whose response breaks the output schema is not sent on another route", async () => {
    const [first, second] = [fake("cli", [unfit("odd")]), fake("rest", [{ data: { id: 2 } }])];
    const waybill = await makeWaybill([first, second]);
    const result = await waybill.execute("thing.make", { name: "a" });
    expect([first.sent, second.sent]).toEqual([1, 0]);
    expect(result).toMatchObject({ ok: true, meta: { route_used: "cli" } });
  });

  it("a write is applied if its last attempt proves that it was applied, even after an attempt of unknown outcome", async () => {
    const applied = fail("SERVER", "applied, but cannot be read", { outcome: "applied" });
    const waybill = await makeWaybill([fake("rest", [unknown, applied])]);
    const operation = { ...make, idempotent: true };
    const repeatable = cardOperation(
      await prepareCard({ ...operation, capability_id: "thing.put" }),
      {
        routes: [fake("rest", [unknown, applied])],
      },
    );
    const other = createWaybill({ operations: [repeatable], retry: { baseDelayMs: 0 } });
    const { error } = await other.execute("thing.put", { name: "a" });
    expect(error?.details?.["outcome"]).toBe("applied");
    const once = await waybill.execute("thing.make", { name: "a" });
    expect(once.error?.details?.["outcome"]).toBe("unknown");
  });
});

describe("routes of a read", () => {
  it("a read returns a response that breaks the output schema if the other route fails", async () => {
    const routes = [fake("cli", [unfit("first")]), fake("rest", [fail("SERVER", "down")])];
    const waybill = await makeWaybill(routes);
    const result = await waybill.execute("thing.view", { name: "a" });
    expect(result).toMatchObject({ ok: true, data: { id: "first" }, meta: { route_used: "cli" } });
  });

  it("a nested call returns the next cursor of a list to the handler that made the call", async () => {
    const page = fake("rest", [{ data: { id: 1 }, nextCursor: "page-2", serverDate: 1_000 }]);
    const all = defineOperation({
      id: "thing.all",
      description: "All things",
      effect: "read",
      handler: async (_input, context) => (await context.call("thing.view", { name: "a" })).meta,
    });
    const waybill = await makeWaybill([page], { operations: [all] });
    expect((await waybill.execute("thing.all")).data).toMatchObject({
      nextCursor: "wb2.rest.page-2",
      serverDate: 1_000,
    });
  });

  it("raw_bytes of a record is the size of the answer if the upstream reports no size", async () => {
    const records: CallRecord[] = [];
    const observer = { onCall: (record: CallRecord) => void records.push(record) };
    const told = await makeWaybill([fake("rest", [{ data: { id: 1 }, rawBytes: 700 }])], {
      observer,
    });
    await told.execute("thing.view", { name: "a" }, { select: ["id"] });
    const untold = await makeWaybill([fake("rest", [{ data: { id: 1 } }])], { observer });
    await untold.execute("thing.view", { name: "a" }, { select: ["id"] });
    expect(records.map(({ raw_bytes }) => raw_bytes)).toEqual([700, '{"id":1}'.length]);
  });
});

describe("functions of a card", () => {
  it("the mapping of a card can call the functions that are passed to cardOperation", async () => {
    const card = { ...view, rest: { ...rest, output: { call: "double" } } };
    const functions = { double: (value: unknown) => ({ id: (value as { id: number }).id * 2 }) };
    const routes = [fake("rest", [{ data: { id: 21 } }])];
    const operation = cardOperation(await prepareCard(card), { routes, functions });
    const waybill = createWaybill({ operations: [operation] });
    expect((await waybill.execute("thing.view", { name: "a" })).data).toEqual({ id: 42 });
  });
});

describe("cards of steps", () => {
  const good = { data: { id: 1 } };

  it("a card of steps accepts a deadline of ten minutes", async () => {
    const waybill = await makeWaybill([fake("rest", [good])]);
    expect((await waybill.execute("thing.twice", {}, { deadline_ms: 600_000 })).ok).toBe(true);
  });

  it("a call of a handler that calls a card of steps fails if one of the steps fails", async () => {
    const call = defineOperation({
      id: "thing.call",
      description: "Call it",
      handler: async (_input, context) => (await context.call("thing.twice", {})).data,
    });
    const bad = fail("CONFLICT", "taken", { outcome: "not_applied" });
    const waybill = await makeWaybill([fake("rest", [good, bad])], { operations: [call] });
    const { error } = await waybill.execute("thing.call");
    expect(error).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("taken") as string,
    });
  });
});

/** Longer than the deadline plus the time that a route gets to end by itself. */
const AFTER_THE_END_MS = 20_000;

describe("writes that time out", () => {
  it("a write is not applied if its first attempt was refused and its second attempt was not started", async () => {
    const hanging = fake("rest", []);
    let tries = 0;
    const route: CardRoute = {
      ...hanging,
      async send(_request, attempt) {
        tries += 1;
        if (tries > 1) return new Promise(() => {});
        await attempt.beforeSend();
        throw fail("NETWORK", "refused", { outcome: "not_applied" });
      },
    };
    const waybill = await makeWaybill([route]);
    const pass = stopClock();
    const call = waybill.execute("thing.make", { name: "a" }, { deadline_ms: 3_000 });
    // The clock must move even for a wait of 0 ms before the second attempt.
    await expect.poll(() => pass(0).then(() => tries)).toBe(2);
    await pass(AFTER_THE_END_MS);
    const { error } = await call;
    expect([tries, error]).toMatchObject([
      2,
      { code: "TIMEOUT", details: { outcome: "not_applied" } },
    ]);
  });
});

/** A journal that reports a problem and records whether it was closed. */
function brokenJournal(): Journal & { isClosed: boolean } {
  const journal = {
    ...memoryJournal(),
    isClosed: false,
    problem: "The journal is broken",
    check: async () => {},
    close: async () => {
      journal.isClosed = true;
    },
  };
  return journal;
}

describe("journals", () => {
  it("a card of steps warns once about a damaged journal", async () => {
    const records: CallRecord[] = [];
    const waybill = await makeWaybill([fake("rest", [{ data: { id: 1 } }])], {
      journal: brokenJournal(),
      observer: { onCall: (record) => void records.push(record) },
    });
    const { meta } = await waybill.execute("thing.twice", {});
    const told = meta.warnings?.filter((warning) => warning.includes("The journal is broken"));
    expect(told).toHaveLength(1);
    const steps = records.filter(({ capability_id }) => capability_id === "thing.make");
    expect(steps.map(({ envelope }) => envelope.meta.warnings)).toEqual([undefined, undefined]);
  });

  it("a repeat of a failed but applied keyed write returns the failure with the outcome applied", async () => {
    const applied = fail("SERVER", "its answer cannot be read", { outcome: "applied" });
    const sender = fake("rest", [applied]);
    const waybill = await makeWaybill([sender], { journal: memoryJournal() });
    const options = { idempotency_key: "k" };
    for (const replayed of [undefined, true]) {
      const { error, meta } = await waybill.execute("thing.make", { name: "a" }, options);
      expect([error?.details?.["outcome"], meta.replayed]).toEqual(["applied", replayed]);
    }
    expect(sender.sent).toBe(1);
  });

  it("the journal keeps keys of named callers apart from keys without a caller", async () => {
    const seen: string[] = [];
    const inner = memoryJournal();
    const journal: Journal = {
      ...inner,
      begin: (key, ...others) => {
        seen.push(key.identity);
        return inner.begin(key, ...others);
      },
    };
    const waybill = await makeWaybill([fake("rest", [{ data: { id: 1 } }])], { journal });
    const options = { idempotency_key: "k" };
    await waybill.execute("thing.make", { name: "a" }, options);
    await waybill.as({ id: "ada", scopes: [] }).execute("thing.make", { name: "a" }, options);
    expect(seen).toEqual(["", "ada"]);
  });

  it("closing a Waybill closes its journal", async () => {
    const journal = brokenJournal();
    const waybill = createWaybill({ journal });
    await waybill.close();
    expect(journal.isClosed).toBe(true);
  });
});

describe("deadline of context.look", () => {
  it("context.look uses the earlier of its own deadline and the deadline of the call", async () => {
    const deadlines: (number | undefined)[] = [];
    const read = defineOperation({
      id: "thing.read",
      description: "Read a thing",
      effect: "read",
      handler: (_input, context) => void deadlines.push(context.deadline),
    });
    const write = defineOperation({
      id: "thing.write",
      description: "Write a thing",
      handler: async (_input, context) => {
        const { deadline = 0 } = context;
        await context.look("thing.read", {}, deadline + 60_000);
        await context.look("thing.read", {}, deadline - 60_000);
        await context.look("thing.read");
        return deadline;
      },
    });
    const waybill = createWaybill({ operations: [read, write] });
    const { data } = await waybill.execute("thing.write", {}, { deadline_ms: 300_000 });
    const own = Number(data);
    expect(deadlines).toEqual([own, own - 60_000, own]);
  });
});
