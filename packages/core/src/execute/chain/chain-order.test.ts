import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card, GraphqlRequest } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import { defineOperation } from "../../operation/index.ts";
import type { Operation } from "../../operation/index.ts";
import { cardOperation, memoryJournal } from "../../router/index.ts";
import type { CardRoute } from "../../router/index.ts";
import { createWaybill } from "../index.ts";

const text = { type: "string" } as const;
const documents = Object.fromEntries(
  (["query Find", "mutation Make"] as const).map((words) => {
    const [kind, name] = words.split(" ") as ["query" | "mutation", string];
    const variables = [{ name: "name", required: true }];
    return [name, { operationName: name, kind, text: words, variables }];
  }),
);

/**
 * Creates an object over GraphQL, or over REST for a name with a dash. With `lookup`, `id` is
 * looked up first.
 */
function makeCard(id: string, lookup?: string): Card {
  return {
    capability_id: id,
    version: "1.0.0",
    description: "Make a thing",
    effect: "write",
    input_schema: { type: "object", required: ["name"], properties: { name: text } },
    output_schema: { type: "object" },
    routing: {
      preferred: "graphql",
      fallbacks: ["rest"],
      suitability: [{ route: "rest", predicate: "contains(params.name, '-')", reason: "dashes" }],
    },
    ...(lookup !== undefined && {
      lookup: { found: { document: "Find", variables: { name: "'all'" }, value: lookup } },
    }),
    graphql: {
      operationName: "Make",
      documentPath: "Make",
      variables: { name: lookup === undefined ? "name" : "lookup.found" },
      output: { name: "name" },
    },
    rest: { method: "POST", path: "/{name}", output: { name: "name" } },
  };
}

interface Upstream {
  readonly routes: readonly CardRoute[];
  /** The objects that each request created, in order. */
  readonly trips: string[][];
  readonly lookups: number[];
}

const pause = (milliseconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

const answer = (data: unknown, upstreamRequests = 1) => {
  const meta = { statusCode: 200, headers: {}, contentType: "" };
  return { response: httpEnvelope(data, meta), upstreamRequests };
};
const nameOf = (request: unknown) => String((request as GraphqlRequest).variables["name"]);

function upstream(host: string, slowness: Partial<Record<"find" | "rest", number>> = {}): Upstream {
  const trips: string[][] = [];
  const lookups: number[] = [];
  const graphql: CardRoute = {
    route: "graphql",
    needs: [],
    async send(request, { effect, beforeSend }) {
      if (effect === "read") {
        lookups.push(1);
        await pause(slowness.find ?? 0);
        return answer({ id: `${host}-id`, name: `${host}-name` });
      }
      await beforeSend();
      trips.push([nameOf(request)]);
      return answer({ name: nameOf(request) });
    },
    canSendTogether: () => true,
    async sendTogether(requests, { beforeSend }) {
      await beforeSend();
      const names = requests.map(nameOf);
      trips.push(names);
      if (names.includes("refused")) throw fail("AUTH", "no", { outcome: "not_applied" });
      return names.map((name, index) => answer({ name }, index === 0 ? 1 : 0));
    },
    describe: (request) => request,
  };
  const rest: CardRoute = {
    route: "rest",
    needs: [],
    async send(request) {
      await pause(slowness.rest ?? 0);
      const { path } = request as { path?: string };
      trips.push([String(path).slice(1)]);
      return answer({ name: String(path).slice(1) });
    },
    describe: (request) => request,
  };
  return { routes: [graphql, rest], trips, lookups };
}

async function operation(card: Card, { routes }: Upstream, host = "h"): Promise<Operation> {
  return cardOperation(await prepareCard(card, documents), { routes, host });
}

const MERGED = { merge_writes: true } as const;
const make = (name: unknown, task = "a.make") => ({ task, input: { name } });

describe("order of the writes of a chain with merge_writes", () => {
  it("writes of local functions in a chain run in the order of the steps", async () => {
    const log: string[] = [];
    const write = defineOperation({
      id: "local.write",
      description: "Write",
      effect: "write",
      input: { type: "object", properties: { name: text, ms: { type: "number" } } },
      handler: async ({ name, ms = 0 }) => {
        await pause(ms);
        log.push(String(name));
      },
    });
    const steps = [{ name: "first", ms: 30 }, { name: "second" }];
    const waybill = createWaybill({ operations: [write] });
    await waybill.chain(
      steps.map((input) => ({ task: "local.write", input })),
      MERGED,
    );
    expect(log).toEqual(["first", "second"]);
  });

  it("a write of a chain waits for an earlier write with a slow lookup, and the two writes are merged", async () => {
    const up = upstream("h", { find: 60 });
    const waybill = createWaybill({
      operations: [
        await operation(makeCard("a.make"), up),
        await operation(makeCard("a.find", "id"), up),
      ],
    });
    const { status } = await waybill.chain([make("x", "a.find"), make("b")], MERGED);
    expect([status, up.trips]).toEqual(["success", [["h-id", "b"]]]);
  });

  it("writes of a chain over two routes of one source are sent one after the other", async () => {
    const up = upstream("h", { rest: 40 });
    const waybill = createWaybill({ operations: [await operation(makeCard("a.make"), up)] });
    await waybill.chain(
      ["a", "b", "slow-c", "d", "e"].map((name) => make(name)),
      MERGED,
    );
    expect(up.trips).toEqual([["a", "b"], ["slow-c"], ["d", "e"]]);
  });

  it("a write of a chain is not sent before an earlier write that waits for another step", async () => {
    const up = upstream("h");
    const waybill = createWaybill({ operations: [await operation(makeCard("a.make"), up)] });
    const second = make({ $text: "{{s0.data.name}}2" });
    await waybill.chain([make("one"), second, make("three")], MERGED);
    expect(up.trips).toEqual([["one"], ["one2", "three"]]);
  });

  it("two writes of a chain with one idempotency key are sent once and do not block each other", async () => {
    const up = upstream("h");
    const operations = [await operation(makeCard("a.make"), up)];
    const waybill = createWaybill({ operations, journal: memoryJournal() });
    const keyed = { ...make("a"), idempotency_key: "k" };
    const { results } = await waybill.chain([keyed, keyed, make("b")], MERGED);
    expect(up.trips.flat()).toEqual(["a", "b"]);
    expect(results.map(({ meta }) => meta.replayed)).toEqual([undefined, true, undefined]);
  });

  it("a merged request of writes that is refused counts as one request, and the writes are then sent one by one", async () => {
    const up = upstream("h");
    const waybill = createWaybill({ operations: [await operation(makeCard("a.make"), up)] });
    const steps = ["a", "refused", "c"].map((name) => make(name));
    const { results, meta } = await waybill.chain(steps, { ...MERGED, trace: true });
    expect(results.map(({ error }) => error?.code)).toEqual([undefined, undefined, undefined]);
    expect(meta.upstream_requests).toBe(4);
  });
});

describe("lookups of a chain", () => {
  it("a lookup of a chain is sent once to each host whose steps need it", async () => {
    const [one, other] = [upstream("one"), upstream("other")];
    const waybill = createWaybill({
      operations: [
        await operation(makeCard("a.make", "id"), one, "one"),
        await operation(makeCard("b.make", "id"), other, "other"),
      ],
    });
    await waybill.chain([make("x"), make("x", "b.make")]);
    expect([one.trips, other.trips]).toEqual([[["one-id"]], [["other-id"]]]);
  });

  it("two cards of a chain with equal lookups share one request, and each card maps the response by its own rules", async () => {
    const up = upstream("h");
    const waybill = createWaybill({
      operations: [
        await operation(makeCard("a.make", "id"), up),
        await operation(makeCard("b.make", "name"), up),
      ],
    });
    await waybill.chain([make("x"), make("x", "b.make")]);
    expect([up.trips, up.lookups.length]).toEqual([[["h-id"], ["h-name"]], 1]);
  });
});

describe("on_error stop", () => {
  it("a chain with on_error stop sends no write of another source after a failure", async () => {
    const up = upstream("b");
    const broken = defineOperation({
      id: "a.fail",
      description: "Fail",
      effect: "write",
      handler: () => {
        throw fail("CONFLICT", "no");
      },
    });
    const operations = [broken, await operation(makeCard("b.make"), up, "b")];
    const waybill = createWaybill({ operations });
    const { results } = await waybill.chain([{ task: "a.fail" }, make("x", "b.make")], {
      on_error: "stop",
    });
    expect(results.map(({ error }) => error?.code)).toEqual(["CONFLICT", "CANCELLED"]);
    expect(up.trips).toEqual([]);
  });
});
