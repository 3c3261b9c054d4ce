import { describe, expect, it } from "vitest";
import { prepareCard } from "../cards/index.ts";
import type { Card, CardRequest } from "../cards/index.ts";
import { fail, localEnvelope } from "../envelope/index.ts";
import { createWaybill } from "../execute/index.ts";
import { cardOperation } from "./index.ts";
import type { CardKit, CardRoute, RouteAnswer } from "./index.ts";

const text = { type: "string" } as const;

function card(effect: "read" | "write"): Card {
  return {
    capability_id: "file.view",
    version: "1.0.0",
    description: "View a file",
    effect,
    input_schema: { type: "object", properties: { path: text } },
    output_schema: { type: "object" },
    routing: { preferred: "rest", fallbacks: [] },
    rest: { method: effect === "read" ? "GET" : "POST", path: "/{path}", output: "@" },
  };
}

function getPaths(requests: readonly CardRequest[]): string[] {
  return requests.map((request) => (request as { path: string }).path);
}

const otherReadings: CardKit["otherReadings"] = ({ path }) =>
  path === "a" ? [{ path: "b" }, { path: "c" }] : [];

/** An upstream that has one file, and a kit in which the input `a` may also mean `b` and `c`. */
async function open(effect: "read" | "write", there: string) {
  const trips: string[][] = [];
  const answer = (request: CardRequest): RouteAnswer => {
    const { path } = request as Extract<CardRequest, { kind: "rest" }>;
    if (path !== there) throw fail("NOT_FOUND", `no ${path}`, { outcome: "not_applied" });
    return { response: localEnvelope({ path }, "file.view"), upstreamRequests: 1 };
  };
  const route: CardRoute = {
    route: "rest",
    needs: [],
    describe: () => ({}),
    async send(request) {
      trips.push(getPaths([request]));
      return answer(request);
    },
    canSendTogether: () => true,
    async sendTogether(requests) {
      trips.push(getPaths(requests));
      return requests.map(answer);
    },
  };
  const kit = { routes: [route], ...(otherReadings !== undefined && { otherReadings }) };
  const waybill = createWaybill({
    operations: [cardOperation(await prepareCard(card(effect)), kit)],
  });
  return { waybill, trips };
}

describe("reads with an ambiguous input", () => {
  it("a read whose input has several interpretations returns the first interpretation that exists", async () => {
    const { waybill, trips } = await open("read", "/b");
    expect((await waybill.execute("file.view", { path: "a" })).data).toEqual({ path: "/b" });
    expect(trips).toEqual([["/a"], ["/b"]]);
  });

  it("a read whose input has several interpretations returns the first failure if none of them exists", async () => {
    const { waybill, trips } = await open("read", "/d");
    const { error } = await waybill.execute("file.view", { path: "a" });
    expect(error).toMatchObject({ code: "NOT_FOUND", message: "no /a" });
    expect(trips).toEqual([["/a"], ["/b"], ["/c"]]);
  });

  it("a read whose input has several interpretations is merged with the other reads of its chain", async () => {
    const { waybill, trips } = await open("read", "/d");
    const step = { task: "file.view", input: { path: "d" } };
    expect((await waybill.chain([step, step])).status).toBe("success");
    expect(trips).toEqual([["/d", "/d"]]);
  });
});

it("a write whose input has several interpretations is sent only in its literal interpretation", async () => {
  const { waybill, trips } = await open("write", "/b");
  expect((await waybill.execute("file.view", { path: "a" })).error?.code).toBe("NOT_FOUND");
  expect(trips).toEqual([["/a"]]);
});
