import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CardRoute, RouteAnswer } from "@waybill/core/cards";
import { cards } from "./cards.ts";
import { cases, isReadOnly } from "./fixtures/cases/index.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { RecordedReads } from "./fixtures/recorded-reads.ts";

let reads = new RecordedReads();

function watched(answer: RouteAnswer): RouteAnswer {
  const { response } = answer;
  return { ...answer, response: { ...response, data: reads.watch(response.data) } };
}

/** Wraps a route, and records which parts of its answers are read. */
function recording(route: CardRoute): CardRoute {
  return {
    route: route.route,
    needs: route.needs,
    describe: (request) => route.describe(request),
    send: async (request, attempt) => watched(await route.send(request, attempt)),
  };
}

function isByGraphql({ id, routes = ["graphql"] }: ParityCase): boolean {
  return routes.includes("graphql") && cards.cardById(id)?.order.includes("graphql") === true;
}

const tried = cases.filter(isByGraphql);
const ids = [...new Set(tried.map(({ id }) => id))];

/** Not read by cards: the check for renamed repositories reads this field before. */
const NOTED = /(?:^|\.)repository\.nameWithOwner$/u;

let embedded: Embedded;
beforeAll(async () => {
  embedded = await startEmbedded({ wrap: recording });
});
afterAll(() => embedded.close());

describe("unused fields in GraphQL documents", () => {
  it.each(ids)("%s requests no field from GitHub that its output does not use", async (id) => {
    reads = new RecordedReads();
    for (const each of tried.filter((one) => one.id === id)) {
      each.prepare?.(embedded.github);
      const { params, include } = each;
      const input = typeof params === "function" ? params(embedded.github) : params;
      const options = include === undefined ? {} : { include };
      const { error } = await embedded.by("graphql").execute(id, { ...input }, options);
      expect(error).toBeNull();
      if (!isReadOnly(each)) embedded.reset();
    }
    expect(reads.unread.filter((field) => !NOTED.test(field))).toEqual([]);
  });
});
