import { describe, expect, it } from "vitest";
import { prepareCard } from "../cards/index.ts";
import type { Card, CardVerify } from "../cards/index.ts";
import { fail, httpEnvelope, localEnvelope } from "../envelope/index.ts";
import type { ResponseEnvelope } from "../envelope/index.ts";
import type { OperationContext } from "../operation/index.ts";
import { settlerFor } from "./settle.ts";

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
const now = Date.UTC(2026, 0, 1, 12, 0, 0);
const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
const mine = (created: number) => ({ title: "Hello", author: "ada", createdAt: at(created) });

interface Probe {
  readonly more?: Partial<CardVerify>;
  readonly viewer?: string | undefined;
  readonly answer: () => unknown;
  readonly began?: number;
}

/** Settles a lost write, and says what was asked for it. */
async function settle({ more, viewer = "ada", answer, began = Date.now() }: Probe) {
  const asked: unknown[] = [];
  const context = {
    async call(id: string, input: unknown): Promise<ResponseEnvelope> {
      asked.push([id, input]);
      const data = answer();
      if (data instanceof Error) throw data;
      return data as ResponseEnvelope;
    },
  } as unknown as OperationContext;
  const scope = { params, env: viewer === "" ? {} : { viewer } };
  const settler = settlerFor(await prepareCard(card(more)), scope, context)!;
  return { asked, settled: await settler(lost, began) };
}

const listed = (...items: unknown[]): ResponseEnvelope => localEnvelope({ items }, "issue.list");

describe("a write of unknown outcome", () => {
  it("is applied when the thing is found, with a warning", async () => {
    const found = mine(Date.now());
    const { asked, settled } = await settle({ answer: () => listed({ title: "Other" }, found) });
    expect(asked).toEqual([["issue.list", { owner: "octo" }]]);
    expect(settled).toMatchObject({
      outcome: "applied",
      answer: { response: { data: found, meta: { warnings: [expect.stringContaining("lost")] } } },
    });
  });

  it("is found in a plain list, and as a single object, as well", async () => {
    const found = mine(Date.now());
    for (const data of [[found], found]) {
      const { settled } = await settle({ answer: () => localEnvelope(data, "issue.list") });
      expect(settled.outcome).toBe("applied");
    }
  });

  it("stays unknown when it is not found", async () => {
    const { settled } = await settle({ answer: () => listed() });
    expect(settled).toEqual({ outcome: "unknown" });
  });

  it("is not applied when it is not found by a read that would have it", async () => {
    const more = { authoritative: true };
    const { settled } = await settle({ more, answer: () => listed({ title: "Other" }) });
    expect(settled).toEqual({ outcome: "not_applied" });
  });

  it("is not what stood there before the attempt began", async () => {
    const { settled } = await settle({ answer: () => listed(mine(Date.now() - 60_000)) });
    expect(settled).toEqual({ outcome: "unknown" });
  });

  it("needs a date that can be read", async () => {
    const undated = { title: "Hello", author: "ada", createdAt: "lately" };
    const { settled } = await settle({ answer: () => listed(undated) });
    expect(settled).toEqual({ outcome: "unknown" });
  });

  it("may be told apart without a date where the card names none", async () => {
    const { created: _created, ...undated } = verify;
    const { verify: _verify, ...others } = card();
    const prepared = await prepareCard({ ...others, verify: undated });
    const context = { call: async () => listed({ title: "Hello", author: "ada" }) };
    const scope = { params, env: { viewer: "ada" } };
    const settler = settlerFor(prepared, scope, context as unknown as OperationContext)!;
    expect((await settler(lost, Date.now())).outcome).toBe("applied");
  });

  it("stays unknown when who calls is not known, for then anyone may have made it", async () => {
    const { settled } = await settle({ viewer: "", answer: () => listed(mine(Date.now())) });
    expect(settled).toEqual({ outcome: "unknown" });
  });

  it("stays unknown when the probe fails", async () => {
    const { settled } = await settle({ answer: () => fail("NETWORK", "down") });
    expect(settled).toEqual({ outcome: "unknown" });
  });

  it.each([
    ["an hour behind", -3_600_000],
    ["an hour ahead", 3_600_000],
  ])("is dated by a server's clock that is %s", async (_how, skew) => {
    const began = Date.now();
    const date = new Date(began + skew).toUTCString();
    const response = (created: number): ResponseEnvelope =>
      httpEnvelope(
        { items: [mine(created)] },
        { statusCode: 200, headers: { date }, contentType: "" },
      );
    const after = await settle({ began, answer: () => response(began + skew) });
    expect(after.settled.outcome).toBe("applied");
    const before = await settle({ began, answer: () => response(began + skew - 60_000) });
    expect(before.settled.outcome).toBe("unknown");
  });

  it("believes its own clock when the server's date cannot be read", async () => {
    const meta = { statusCode: 200, headers: { date: "today" }, contentType: "" };
    const answer = (): ResponseEnvelope => httpEnvelope({ items: [mine(now)] }, meta);
    expect((await settle({ began: now + 500, answer })).settled.outcome).toBe("applied");
    expect((await settle({ began: now + 1_000, answer })).settled.outcome).toBe("unknown");
  });
});

it("is a question about writes whose card knows how to look", async () => {
  const context = {} as OperationContext;
  const { verify: _verify, ...without } = card();
  expect(settlerFor(await prepareCard(without), { params }, context)).toBeUndefined();
  const read: Card = { ...card(), effect: "read" };
  expect(settlerFor(await prepareCard(read), { params }, context)).toBeUndefined();
});
