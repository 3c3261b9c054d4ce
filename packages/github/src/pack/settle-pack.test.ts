import { afterEach, describe, expect, it } from "vitest";
import { fail } from "@waybill/core";
import type { CardRoute } from "@waybill/core/cards";
import { cards } from "./cards.ts";
import type { ParityCase } from "./fixtures/cases/index.ts";
import { startEmbedded } from "./fixtures/embedded.ts";
import type { Embedded } from "./fixtures/embedded.ts";
import { isSettled, writeCases } from "./fixtures/write-cases.ts";

/**
 * Writes that remove names. No later read shows which names existed before and were really removed.
 */
const TOLD_BY_THE_PAST: ReadonlySet<string> = new Set([
  "issue.assignees.remove",
  "issue.labels.remove",
  "pr.assignees.remove",
  "release.publish",
]);

/** Loses the responses to the writes of one call, and counts the reads of its probe. */
class Losing {
  /** Reads after the first lost write: those of the probe. */
  probes = 0;
  #hasLost = false;

  /** Every write arrives at GitHub, but its response is lost. */
  readonly wrap = (route: CardRoute): CardRoute => ({
    ...route,
    describe: (request) => route.describe(request),
    send: async (request, attempt) => {
      if (attempt.effect === "read") {
        if (this.#hasLost) this.probes += 1;
        return route.send(request, attempt);
      }
      if (this.#hasLost) throw fail("VALIDATION", "Sent twice", { outcome: "not_applied" });
      await route.send(request, attempt);
      this.#hasLost = true;
      throw fail("NETWORK", "The connection was reset", { outcome: "unknown" });
    },
  });
}

let embedded: Embedded | undefined;
afterEach(() => embedded?.close());

async function call(each: ParityCase, losing: Losing) {
  embedded = await startEmbedded({ clock: () => new Date(), wrap: losing.wrap });
  each.prepare?.(embedded.github);
  const { params, routes } = each;
  const input = typeof params === "function" ? { ...params(embedded.github) } : { ...params };
  const route = (routes ?? cards.cardById(each.id)!.order)[0]!;
  return embedded.waybill.execute(each.id, input, { route });
}

const named = (writes: readonly ParityCase[]) => writes.map((each) => [each.id, each] as const);

describe("lost responses of writes", () => {
  it.each(named(writeCases(isSettled)))(
    "Waybill finds the write %s whose response was lost with at most two reads, and returns its result with a warning",
    async (_id, each) => {
      const losing = new Losing();
      const { error, data, meta } = await call(each, losing);
      expect(error).toBeNull();
      expect(meta.warnings).toContainEqual(
        expect.stringContaining("response to this write was lost"),
      );
      expect(losing.probes).toBeLessThanOrEqual(2);
      if (!TOLD_BY_THE_PAST.has(each.id)) each.expected(data as never);
    },
  );

  it("every GitHub write whose response is lost can be verified by a read, except at most five", () => {
    const writes = cards.summaries.filter(({ effect }) => effect !== "read");
    const silent = writes.filter(({ id }) => cards.cardById(id)!.verify === undefined);
    const unsettled = writes.filter(({ id }) => !isSettled(id));
    expect(silent.map(({ id }) => id)).toEqual([]);
    expect(unsettled.length).toBeLessThanOrEqual(5);
  });

  it("no GitHub card uses a search index to verify a write whose response was lost", () => {
    const { verify } = { verify: cards.summaries.map(({ id }) => cards.cardById(id)!.verify) };
    expect(JSON.stringify(verify)).not.toMatch(/search\(|"search"/);
  });
});

describe("lost writes that did not arrive", () => {
  const locked = { owner: "octo", name: "hello", issueNumber: 1 };
  const cases = (["rest", "graphql"] as const).flatMap((route) => [
    [route, "the reason too heated", { reason: "TOO_HEATED" }, [false, "NETWORK"]] as const,
    [route, "the reason spam", { reason: "SPAM" }, [true, undefined]] as const,
    [route, "no reason", {}, [true, undefined]] as const,
  ]);

  it.each(cases)(
    "an issue.lock whose response is lost, on the %s route with %s, succeeds only if the issue is already locked as requested",
    async (route, _which, more, expected) => {
      let isCut = false;
      const wrap = (each: CardRoute): CardRoute => ({
        ...each,
        describe: (request) => each.describe(request),
        send: async (request, attempt) => {
          if (!isCut || attempt.effect === "read") return each.send(request, attempt);
          throw fail("NETWORK", "The connection was reset", { outcome: "unknown" });
        },
      });
      embedded = await startEmbedded({ clock: () => new Date(), wrap });
      const { waybill } = embedded;
      expect((await waybill.execute("issue.lock", { ...locked, reason: "SPAM" })).ok).toBe(true);
      isCut = true;
      const { ok, error } = await waybill.execute("issue.lock", { ...locked, ...more }, { route });
      expect([ok, error?.code]).toEqual(expected);
    },
  );
});
