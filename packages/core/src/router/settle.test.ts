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
/** The present by a server that tells whole seconds. */
const serverNow = (): number => Math.floor(Date.now() / SECOND) * SECOND;

interface Probe {
  readonly more?: Partial<CardVerify>;
  readonly viewer?: string | undefined;
  readonly ask?: ViewerProbe;
  readonly answers: readonly unknown[];
  readonly began?: Moment;
}

/** Settles a lost write, and says what was requested it. */
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

/** Both clocks stand still, so that a slow machine does not make a found object look older. */
beforeEach(() => {
  stopClock();
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
});

describe("a write of unknown outcome", () => {
  it("a write of unknown outcome is applied when the thing is found, with a warning", async () => {
    const found = mine(serverNow() + SECOND);
    const { asked, settled } = await settle({ answers: [listed(other, found)] });
    expect(asked).toEqual([["issue.list", { owner: "octo" }]]);
    expect(settled).toMatchObject({
      outcome: "applied",
      answer: { response: { data: found, meta: { warnings: [expect.stringContaining("lost")] } } },
    });
  });

  it("a write of unknown outcome is found in a plain list, and as a single object, as well", async () => {
    for (const isList of [true, false]) {
      const found = mine(serverNow() + SECOND);
      const { settled } = await settle({ answers: [answer(isList ? [found] : found)] });
      expect(settled.outcome).toBe("applied");
    }
  });

  it("a write of unknown outcome is looked for as the caller's, who is requested when that is not known", async () => {
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

  it("a write of unknown outcome stays unknown when it is not found", async () => {
    const { settled } = await settle({ answers: [listed()] });
    expect(settled).toMatchObject({ outcome: "unknown" });
  });

  it("a write of unknown outcome is not applied when it is not found by a read that would have it", async () => {
    const { settled } = await settle({ more: authoritative, answers: [listed(other)] });
    expect(settled).toEqual({ outcome: "not_applied" });
  });

  it("a write of unknown outcome is not what stood there before the attempt began", async () => {
    const old = mine(serverNow() - 60_000);
    expect((await settle({ answers: [listed(old)] })).settled.outcome).toBe("unknown");
    const { settled } = await settle({ more: authoritative, answers: [listed(old)] });
    expect(settled.outcome).toBe("not_applied");
  });

  it.each([
    ["applied when it is asked for by name, which has no twin", twin, "applied"],
    ["unknown in a list, where a twin may be old", { items: [twin] }, "unknown"],
    ["unknown in a plain list as well", [twin], "unknown"],
  ])("reports a write without a date as %s", async (_how, data, outcome) => {
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
  });

  it("a write of unknown outcome stays unknown without a date when what was there before is not known either", async () => {
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

  it("answers what the card makes of the thing that was found", async () => {
    const more = { output: { made: true, of: "$params.owner", at: "createdAt" } };
    const created = serverNow() + SECOND;
    const { settled } = await settle({ more, answers: [listed(mine(created))] });
    expect(settled).toMatchObject({
      answer: { response: { data: { made: true, of: "octo", at: at(created) } } },
    });
  });

  it.each<[string, Partial<CardVerify>, object]>([
    ["lacks what the capability promises", {}, { required: ["url"] }],
    ["is mapped to too little", { output: { id: "nowhere" } }, { required: ["id"] }],
    ["cannot be mapped", { output: { call: "absent" } }, {}],
  ])(
    "a write of unknown outcome is applied, with what is known, when what was found %s",
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

  it("a write of unknown outcome stays unknown when who calls is not known, for then anyone may have made it", async () => {
    const answers = [listed(mine(serverNow() + SECOND))];
    expect((await settle({ viewer: "", answers })).settled).toMatchObject({ outcome: "unknown" });
  });

  it("a write of unknown outcome stays unknown when the probe fails", async () => {
    const { settled, reads } = await settle({ answers: [fail("NETWORK", "down")] });
    expect([settled.outcome, reads]).toEqual(["unknown", 1]);
  });

  it.each([
    ["an hour behind", -3_600_000],
    ["an hour ahead", 3_600_000],
  ])("a write of unknown outcome is dated by a server's clock that is %s", async (_how, skew) => {
    const serverDate = serverNow() + skew;
    const seen = (created: number) => answer({ items: [mine(created)] }, { serverDate });
    const after = await settle({ answers: [seen(serverDate + SECOND)] });
    expect(after.settled.outcome).toBe("applied");
    const before = await settle({ more: authoritative, answers: [seen(serverDate - 60_000)] });
    expect(before.settled.outcome).toBe("not_applied");
  });

  it("began between what the two clocks of this machine say", async () => {
    const { wall, steady } = now();
    // The machine slept for an hour, or its clock was set: which of the two is not known.
    const began = { wall: wall - 3_600_000, steady };
    const answers = [listed(mine(serverNow() - 60_000))];
    expect((await settle({ more: authoritative, answers, began })).settled.outcome).toBe("unknown");
  });
});

it.each<[string, Partial<CardVerify>, string]>([
  ["created", {}, "A read found the new object. Another caller of this account"],
  ["state", { kind: "state" }, "A read shows the requested state"],
])("warns in the words for %s", async (_kind, more, words) => {
  const { settled } = await settle({ more, answers: [answer(mine(serverNow() + SECOND))] });
  expect(settled).toMatchObject({
    outcome: "applied",
    answer: { response: { meta: { warnings: [expect.stringContaining(words)] } } },
  });
});

it.each([
  ["by a repeat is sent again if that is harmless", true, "", "send_again"],
  ["by a repeat stays unknown if it may be harmful", false, "", "unknown"],
  ["by its own call stays unknown", true, undefined, "unknown"],
])("a write that is not found %s", async (_how, idempotent, trail, outcome) => {
  const prepared = await prepareCard({ ...card(), idempotent });
  const context = { look: async () => listed() } as unknown as OperationContext;
  const settler = settlerFor(
    { card: prepared, scope: { params, env: { viewer: "ada" } }, context },
    trail,
  );
  expect((await settler!.settle(lost, now())).outcome).toBe(outcome);
});

it("makes two reads at most, so that who calls is not asked for after those", async () => {
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

describe("what may or may not be the thing leaves even an authoritative look unknown", () => {
  it.each<[string, () => ResponseEnvelope]>([
    ["made in the second in which the attempt began", () => listed(mine(serverNow()))],
    ["made a moment before", () => listed(mine(Date.now() - 1))],
    [
      "with a date that cannot be read",
      () => listed({ ...mine(serverNow()), createdAt: "lately" }),
    ],
    [
      "without the fields to compare",
      () => listed({ title: "Hello", createdAt: mine(serverNow()).createdAt }),
    ],
    ["seen without the server's clock", () => localEnvelope({ items: [mine(0)] }, "issue.list")],
    ["that a further page may have", () => answer([other], { nextCursor: "2" })],
    [
      "that the list says it goes on to",
      () => answer({ items: [other], pageInfo: { hasNextPage: true, endCursor: "x" } }),
    ],
    ["in an answer that is no list", () => answer({ found: [] })],
    ["in an answer that is nothing", () => answer(null)],
  ])("(%s)", async (_what, seen) => {
    // In the middle of a second: the server's clock has no smaller parts.
    vi.setSystemTime(serverNow() + SECOND / 2);
    const { settled } = await settle({ more: authoritative, answers: [seen()] });
    expect(settled).toMatchObject({ outcome: "unknown" });
  });
});

describe("a card that has the list read before the write", () => {
  const before = { before: "id" };
  const item = (id: string) => ({ id, ...mine(serverNow()) });

  it("tells a duplicate by its id, and the new object by its absence before", async () => {
    const answers = [listed(item("1")), listed(item("1"), item("2"))];
    const { asked, settled } = await settle({ more: before, answers });
    expect(asked).toHaveLength(2);
    expect(settled).toMatchObject({
      outcome: "applied",
      answer: { response: { data: { id: "2" } } },
    });
  });

  it("knows that there is nothing new", async () => {
    const more = { ...before, ...authoritative };
    const { settled } = await settle({ more, answers: [listed(item("1")), listed(item("1"))] });
    expect(settled).toEqual({ outcome: "not_applied" });
  });

  it.each([
    ["fails", fail("NETWORK", "down")],
    ["has a further page", answer([], { nextCursor: "2" })],
    ["has no ids", listed(mine(serverNow()))],
  ])("knows no more than without when that read %s", async (_how, first) => {
    const { settled } = await settle({ more: before, answers: [first, listed(item("2"))] });
    expect(settled).toMatchObject({ outcome: "unknown" });
  });
});

it("is a question about writes whose card knows how to look", async () => {
  const context = {} as OperationContext;
  const { verify: _verify, ...without } = card();
  expect(
    settlerFor({ card: await prepareCard(without), scope: { params }, context }),
  ).toBeUndefined();
  const read: Card = { ...card(), effect: "read" };
  expect(settlerFor({ card: await prepareCard(read), scope: { params }, context })).toBeUndefined();
});
