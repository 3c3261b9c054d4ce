import {
  createWaybill,
  defineOperation,
  fail,
  httpEnvelope,
  localEnvelope,
  memoryJournal,
} from "@waybill/core";
import { cardOperation, prepareCard } from "@waybill/core/cards";
import type { Card, Operation, Policy, Waybill } from "@waybill/core";
import type { CardRequest, CardRoute, RouteAnswer } from "@waybill/core/cards";

/** A string that the Waybill knows as a secret. */
export const SECRET = "hunter2-hunter2-hunter2";

const common = { version: "1.0.0", description: "For a test" };
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});

/** An operation with two routes. The first returns a string where the schema requires a number. */
const view: Card = {
  ...common,
  capability_id: "thing.view",
  effect: "read",
  input_schema: object({ name: { type: "string" }, size: { type: "integer", default: 3 } }, [
    "name",
  ]),
  output_schema: object({ id: { type: "integer" } }, ["id"]),
  aliases: { name: ["title"] },
  routing: { preferred: "cli", fallbacks: ["rest"] },
  cli: { use: "rest" },
  rest: { method: "GET", path: "/{name}", query: { size: "size" }, output: { id: "id" } },
};

/** An operation with one route, whose response is lost after the write was applied. */
const make: Card = {
  ...common,
  capability_id: "thing.make",
  effect: "write",
  input_schema: object({ name: { type: "string" } }, ["name"]),
  output_schema: object({ name: { type: "string" } }, ["name"]),
  routing: { preferred: "rest", fallbacks: [] },
  rest: { method: "POST", path: "/things", body: { name: "name" }, output: { name: "name" } },
  verify: {
    capability: "thing.list",
    params: {},
    before: "name",
    same: { name: "name" },
    output: { name: "name" },
  },
};

/**
 * A Waybill, its operations for tests that need another Waybill, and a log of requests and writes.
 */
export interface Shop {
  readonly waybill: Waybill;
  /** Another Waybill for these operations, with the same policy and journal. */
  readonly open: (operations: readonly Operation[]) => Waybill;
  readonly operations: readonly Operation[];
  /** Each request that a route sent, and each write that was applied. */
  readonly sent: string[];
  readonly made: string[];
  /** Resolves when `thing.wait` has begun. */
  readonly begun: Promise<void>;
  /** How often a signal of `thing.wait` has aborted. */
  readonly aborts: () => number;
}

function answer(data: unknown): RouteAnswer {
  const meta = { statusCode: 200, headers: {}, contentType: "application/json" };
  return { response: httpEnvelope(data, meta), upstreamRequests: 1 };
}

function same(request: CardRequest): object {
  return request;
}

function routes(sent: string[], made: string[]): CardRoute[] {
  const log = (route: string, request: CardRequest): void => {
    const { path, query } = request as { path?: string; query?: object };
    sent.push(`${route} ${path} ${JSON.stringify(query ?? {})}`);
  };
  return [
    {
      route: "cli",
      needs: [],
      describe: same,
      async send(request) {
        log("cli", request);
        return answer({ id: "no number" });
      },
    },
    {
      route: "rest",
      needs: [],
      describe: same,
      async send(request, attempt) {
        log("rest", request);
        const { method, body } = request as { method?: string; body?: { name?: string } };
        if (method === "GET") return answer({ id: 7 });
        await attempt.beforeSend();
        made.push(String(body?.name));
        throw fail("NETWORK", "The response was lost", { outcome: "unknown" });
      },
    },
  ];
}

/**
 * Creates a new shop: a read and a write over routes, and local functions for the other guarantees.
 */
export async function openShop(policy: Policy = {}): Promise<Shop> {
  const [sent, made]: [string[], string[]] = [[], []];
  let begin: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let aborts = 0;
  const kit = { routes: routes(sent, made) };
  const operations: Operation[] = [
    cardOperation(await prepareCard(view), kit),
    cardOperation(await prepareCard(make), kit),
    defineOperation({
      id: "thing.list",
      description: "Everything that was made",
      effect: "read",
      handler: () => ({ items: made.map((name) => ({ name })) }),
    }),
    defineOperation({
      id: "thing.add",
      description: "Adds",
      effect: "write",
      input: object({ name: { type: "string" } }, ["name"]) as { type: "object" },
      handler: (input) => {
        made.push(String((input as { name: string }).name));
        return { added: made.length };
      },
    }),
    defineOperation({
      id: "thing.tell",
      description: "Tells a secret, and not the number that it promises",
      effect: "read",
      output: object({ text: { type: "number" } }) as { type: "object" },
      handler: () => localEnvelope({ text: SECRET }, "thing.tell"),
    }),
    defineOperation({
      id: "thing.wait",
      description: "Ends with its signal",
      effect: "read",
      handler: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborts += 1;
            reject(signal.reason as Error);
          });
          begin();
        }),
    }),
  ];
  const journal = memoryJournal();
  const open: Shop["open"] = (all) =>
    createWaybill({
      operations: all,
      policy,
      journal,
      secrets: () => [SECRET],
      retry: { baseDelayMs: 0 },
    });
  return { waybill: open(operations), open, operations, sent, made, begun, aborts: () => aborts };
}
