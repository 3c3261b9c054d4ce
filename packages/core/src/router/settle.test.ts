import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { prepareCard } from "../cards/index.ts";
import type { Card, CardVerify } from "../cards/index.ts";
import { fail, localEnvelope } from "../envelope/index.ts";
import type { PipelineMeta, ResponseEnvelope } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { now } from "./moment.ts";
import type { Moment } from "./moment.ts";
import { settlerFor } from "./settle.ts";
import type { CardRoute, ViewerProbe } from "./route.ts";

const verify: CardVerify = {
  capability: "issue.list",
  params: { owner: "owner" },
  same: { title: "title", author: "viewer" },
  created: "createdAt",
};

function card(more: Partial<CardVerify> = {}): Card {
  return {
    capability_id: "issue.create",
    version: "1.0.0",
    description: "Open an issue",
    effect: "write",
    input_schema: {
      type: "object",
      properties: { owner: { type: "string" }, title: { type: "string" } },
    },
    output_schema: { type: "object" },
    routing: { preferred: "rest", fallbacks: [] },
    rest: { method: "POST", path: "/issues", output: { id: "id" } },
    verify: { ...verify, ...more },
  };
}

const params = { owner: "octo", title: "Hello" };
const lost = fail("NETWORK", "lost", { outcome: "unknown" });
const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
const mine = (created: number) => ({ title: "Hello", author: "ada", createdAt: at(created) });
const SECOND = 1_000;
/** The time on a server whose clock shows whole seconds. */
const serverNow = (): number => Math.floor(Date.now() / SECOND) * SECOND;

interface Probe {
  readonly more?: Partial<CardVerify>;
  readonly viewer?: string | undefined;
  readonly ask?: ViewerProbe;
  readonly answers: readonly unknown[];
  readonly began?: Moment;
}

/** Finds out whether a lost write was applied, and returns the requests that were made. */
async function settle({ more, viewer = "ada", ask, answers, began = now() }: Probe) {
  const asked: unknown[] = [];
  const left = [...answers];
  const context = {
    async look(id: string, input: unknown): Promise<ResponseEnvelope> {
      asked.push([id, input]);
      const data = left.shift();
      if (data instanceof Error) throw data;
      return data as ResponseEnvelope;
    },
  } as unknown as OperationContext;
  const scope = { params, env: viewer === "" ? {} : { viewer } };
  const kit = ask && { routes: [], viewer: ask };
  const settler = settlerFor({ card: await prepareCard(card(more)), scope, context, kit })!;
  await settler.ready();
  const settled = await settler.settle(lost, began);
  return { asked, settled, reads: settler.reads };
}

function answer(data: unknown, meta: Partial<PipelineMeta> = {}): ResponseEnvelope {
  const envelope = localEnvelope(data, "issue.list");
  return { data, meta: { ...envelope.meta, serverDate: serverNow(), ...meta } };
}

const listed = (...items: unknown[]): ResponseEnvelope => answer({ items });
const authoritative = { authoritative: true };
const other = { title: "Other", author: "ada" };
const twin = { title: "Hello", author: "ada" };

/** Both clocks are stopped, so that a slow machine does not make a found object look older. */
beforeEach(() => {
  stopClock();
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
});

describe("settling a write of unknown outcome", () => {
  it("a write of unknown outcome is applied, with a warning, if the verify read finds its result", async () => {
    const found = mine(serverNow() + SECOND);
    const { asked, settled } = await settle({ answers: [listed(other, found)] });
    expect(asked).toEqual([["issue.list", { owner: "octo" }]]);
    expect(settled).toMatchObject({
      outcome: "applied",
      answer: { response: { data: found, meta: { warnings: [expect.stringContaining("lost")] } } },
    });
  });

  it("the verify read finds the result of a write in a plain list and as a single object", async () => {
    for (const isList of [true, false]) {
      const found = mine(serverNow() + SECOND);
      const { settled } = await settle({ answers: [answer(isList ? [found] : found)] });
      expect(settled.outcome).toBe("applied");
    }
  });

  it("the verify read looks for the caller's own object and reads the caller's name if it is unknown", async () => {
    const ask = { capability: "user.me", field: "login" };
    const found = listed(mine(serverNow() + SECOND));
    const answers = [found, answer({ login: "ada" })];
    const { asked, settled, reads } = await settle({ viewer: "", ask, answers });
    expect(asked).toEqual([
      ["issue.list", { owner: "octo" }],
      ["user.me", {}],
    ]);
    expect([settled.outcome, reads]).toEqual(["applied", 2]);
    for (const me of [answer({ login: "bob" }), answer({}), answer(null), lost]) {
      const ended = await settle({ viewer: "", ask, answers: [found, me] });
      expect(ended.settled.outcome).toBe("unknown");
    }
  });

  it("a write of unknown outcome stays unknown if the verify read does not find its result", async () => {
    const { settled } = await settle({ answers: [listed()] });
    expect(settled).toMatchObject({ outcome: "unknown" });
  });

  it("a write of unknown outcome is not applied if an authoritative verify read does not find its result", async () => {
    const { settled } = await settle({ more: authoritative, answers: [listed(other)] });
    expect(settled).toEqual({ outcome: "not_applied" });
  });

  it("an object that is older than the attempt is not taken for the result of the write", async () => {
    const old = mine(serverNow() - 60_000);
    expect((await settle({ answers: [listed(old)] })).settled.outcome).toBe("unknown");
    const { settled } = await settle({ more: authoritative, answers: [listed(old)] });
    expect(settled.outcome).toBe("not_applied");
  });

  it.each([
    ["applied if it was read as a single object", twin, "applied"],
    ["unknown in a list, where the match may be older", { items: [twin] }, "unknown"],
    ["unknown in a plain list", [twin], "unknown"],
  ])(
    "if the verify read finds an object without a date, a write of unknown outcome is %s",
    async (_how, data, outcome) => {
      const { created: _created, ...undated } = verify;
      const { verify: _verify, ...others } = card();
      const prepared = await prepareCard({ ...others, verify: undated });
      const context = { look: async () => answer(data) } as unknown as OperationContext;
      const settler = settlerFor({
        card: prepared,
        scope: { params, env: { viewer: "ada" } },
        context,
      });
      expect((await settler!.settle(lost, now())).outcome).toBe(outcome);
    },
  );

  it("a write of unknown outcome stays unknown if the match has no date and the earlier list was incomplete", async () => {
    const { created: _created, ...undated } = { ...verify, before: "number" };
    const { verify: _verify, ...others } = card();
    const prepared = await prepareCard({ ...others, verify: undated });
    const more = {
      items: [{ ...twin, number: 7 }],
      pageInfo: { hasNextPage: true, endCursor: "2" },
    };
    const context = { look: async () => answer(more) } as unknown as OperationContext;
    const settler = settlerFor({
      card: prepared,
      scope: { params, env: { viewer: "ada" } },
      context,
    });
    expect(await settler!.settle(lost, now())).toMatchObject({ outcome: "unknown" });
  });

  it("a write that the verify read finds returns the card's output for the found object", async () => {
    const more = { output: { made: true, of: "$params.owner", at: "createdAt" } };
    const created = serverNow() + SECOND;
    const { settled } = await settle({ more, answers: [listed(mine(created))] });
    expect(settled).toMatchObject({
      answer: { response: { data: { made: true, of: "octo", at: at(created) } } },
    });
  });

  it.each<[string, Partial<CardVerify>, object]>([
    ["lacks a required output", {}, { required: ["url"] }],
    ["maps to an incomplete output", { output: { id: "nowhere" } }, { required: ["id"] }],
    ["cannot be mapped", { output: { call: "absent" } }, {}],
  ])(
    "a write that the verify read finds is applied with partial data if the object %s",
    async (_how, more, schema) => {
      const found = mine(serverNow() + SECOND);
      const promise = { ...card(more), output_schema: { type: "object", ...schema } };
      const context = { look: async () => listed(found) } as unknown as OperationContext;
      const scope = { params, env: { viewer: "ada" } };
      const settler = settlerFor({ card: await prepareCard(promise), scope, context });
      expect(await settler!.settle(lost, now())).toMatchObject({
        outcome: "applied",
        error: { details: { code: "SERVER", outcome: "applied", partial: found } },
      });
    },
  );

  it("a write of unknown outcome stays unknown if the caller is unknown, because anyone may have made it", async () => {
    const answers = [listed(mine(serverNow() + SECOND))];
    expect((await settle({ viewer: "", answers })).settled).toMatchObject({ outcome: "unknown" });
  });

  it("a write of unknown outcome stays unknown if the verify read fails", async () => {
    const { settled, reads } = await settle({ answers: [fail("NETWORK", "down")] });
    expect([settled.outcome, reads]).toEqual(["unknown", 1]);
  });

  it.each([
    ["an hour behind", -3_600_000],
    ["an hour ahead", 3_600_000],
  ])(
    "the verify read measures the age of a match by the server's clock, even if that clock is %s",
    async (_how, skew) => {
      const serverDate = serverNow() + skew;
      const seen = (created: number) => answer({ items: [mine(created)] }, { serverDate });
      const after = await settle({ answers: [seen(serverDate + SECOND)] });
      expect(after.settled.outcome).toBe("applied");
      const before = await settle({ more: authoritative, answers: [seen(serverDate - 60_000)] });
      expect(before.settled.outcome).toBe("not_applied");
    },
  );

  it("a write of unknown outcome stays unknown if the two clocks of this machine disagree about its start", async () => {
    const { wall, steady } = now();
    // Either the machine slept for an hour or its clock was changed. It is not known which.
    const began = { wall: wall - 3_600_000, steady };
    const answers = [listed(mine(serverNow() - 60_000))];
    expect((await settle({ more: authoritative, answers, began })).settled.outcome).toBe("unknown");
  });
});

it.each<[string, Partial<CardVerify>, string]>([
  ["created", {}, "A read found the new object. Another caller of this account"],
  ["state", { kind: "state" }, "A read shows the requested state"],
])(
  'a write that a read of the kind "%s" has verified has a warning that says what was read',
  async (_kind, more, words) => {
    const { settled } = await settle({ more, answers: [answer(mine(serverNow() + SECOND))] });
    expect(settled).toMatchObject({
      outcome: "applied",
      answer: { response: { meta: { warnings: [expect.stringContaining(words)] } } },
    });
  },
);

it.each([
  ["by a repeated call is sent again if the write is idempotent", true, "", "send_again"],
  ["by a repeated call stays unknown if the write is not idempotent", false, "", "unknown"],
  ["by the call that sent the write stays unknown", true, undefined, "unknown"],
])("a write of unknown outcome that is not found %s", async (_how, idempotent, trail, outcome) => {
  const prepared = await prepareCard({ ...card(), idempotent });
  const context = { look: async () => listed() } as unknown as OperationContext;
  const settler = settlerFor(
    { card: prepared, scope: { params, env: { viewer: "ada" } }, context },
    trail,
  );
  expect((await settler!.settle(lost, now())).outcome).toBe(outcome);
});

it("at most two verify reads are sent, even if the caller is still unknown", async () => {
  const sent: string[] = [];
  const route = (name: "graphql" | "rest", data: unknown): CardRoute => ({
    route: name,
    needs: [],
    describe: () => ({}),
    async send() {
      sent.push(name);
      if (data instanceof Error) throw data;
      return { response: answer(data), upstreamRequests: 1 };
    },
  });
  const items = [mine(serverNow() + SECOND)];
  const own = card({
    graphql: { document: "Issues", value: "issues" },
    rest: { path: "/issues", value: "items" },
  });
  const kit = {
    routes: [route("graphql", fail("NETWORK", "down")), route("rest", { items })],
    viewer: { capability: "user.me", field: "login", path: "/user" },
  };
  const scope = { params, env: {} };
  const context = { signal: new AbortController().signal } as unknown as OperationContext;
  const text = "query Issues { issues { title } }";
  const document = { operationName: "Issues", kind: "query", text, variables: [] } as const;
  const prepared = await prepareCard(own, { Issues: document });
  const settler = settlerFor({ card: prepared, scope, context, kit })!;
  expect((await settler.settle(lost, now())).outcome).toBe("unknown");
  expect([sent, settler.reads]).toEqual([["graphql", "rest"], 2]);
});

describe("inconclusive answers of an authoritative read", () => {
  it.each<[string, () => ResponseEnvelope]>([
    ["a match created in the second in which the attempt began", () => listed(mine(serverNow()))],
    ["a match created a moment before the attempt", () => listed(mine(Date.now() - 1))],
    [
      "a match with an unreadable date",
      () => listed({ ...mine(serverNow()), createdAt: "lately" }),
    ],
    [
      "a match without the fields to compare",
      () => listed({ title: "Hello", createdAt: mine(serverNow()).createdAt }),
    ],
    ["a match without the server's clock", () => localEnvelope({ items: [mine(0)] }, "issue.list")],
    ["a list with a next page", () => answer([other], { nextCursor: "2" })],
    [
      "a list whose pageInfo has a next page",
      () => answer({ items: [other], pageInfo: { hasNextPage: true, endCursor: "x" } }),
    ],
    ["an answer that is not a list", () => answer({ found: [] })],
    ["an empty answer", () => answer(null)],
  ])(
    "an inconclusive answer to the verify read leaves the write unknown: %s",
    async (_what, seen) => {
      // The time is in the middle of a second, because the server's clock shows only whole seconds.
      vi.setSystemTime(serverNow() + SECOND / 2);
      const { settled } = await settle({ more: authoritative, answers: [seen()] });
      expect(settled).toMatchObject({ outcome: "unknown" });
    },
  );
});

describe("cards that read the list before the write", () => {
  const before = { before: "id" };
  const item = (id: string) => ({ id, ...mine(serverNow()) });

  it("an object whose id was in the list before the write is not taken for the new object", async () => {
    const answers = [listed(item("1")), listed(item("1"), item("2"))];
    const { asked, settled } = await settle({ more: before, answers });
    expect(asked).toHaveLength(2);
    expect(settled).toMatchObject({
      outcome: "applied",
      answer: { response: { data: { id: "2" } } },
    });
  });

  it("a write of unknown outcome is not applied if the list has no new id", async () => {
    const more = { ...before, ...authoritative };
    const { settled } = await settle({ more, answers: [listed(item("1")), listed(item("1"))] });
    expect(settled).toEqual({ outcome: "not_applied" });
  });

  it.each([
    ["fails", fail("NETWORK", "down")],
    ["has a next page", answer([], { nextCursor: "2" })],
    ["has no ids", listed(mine(serverNow()))],
  ])(
    "a write of unknown outcome stays unknown if the read before the write %s",
    async (_how, first) => {
      const { settled } = await settle({ more: before, answers: [first, listed(item("2"))] });
      expect(settled).toMatchObject({ outcome: "unknown" });
    },
  );
});

it("settlerFor returns undefined for a read and for a card without verify", async () => {
  const context = {} as OperationContext;
  const { verify: _verify, ...without } = card();
  expect(
    settlerFor({ card: await prepareCard(without), scope: { params }, context }),
  ).toBeUndefined();
  const read: Card = { ...card(), effect: "read" };
  expect(settlerFor({ card: await prepareCard(read), scope: { params }, context })).toBeUndefined();
});
