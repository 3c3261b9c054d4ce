import { describe, expect, it } from "vitest";
import { prepareCard } from "../../cards/index.ts";
import type { Card, CardRequest } from "../../cards/index.ts";
import { fail, httpEnvelope } from "../../envelope/index.ts";
import { defineOperation, defineSubscription } from "../../operation/index.ts";
import type { Effect, Operation } from "../../operation/index.ts";
import { cardOperation } from "../../router/index.ts";
import { createWaybill } from "../index.ts";
import type { Policy } from "../../policy/index.ts";

const outer = (id: string, effect: Effect, inner: string): Operation =>
  defineOperation({
    id,
    description: "Call another",
    effect,
    handler: async (_input, context) => (await context.call(inner)).data,
  });

/** Operations of each effect that record when they ran, and some that call them. */
function setup(policy?: Policy) {
  const ran: string[] = [];
  const leaf = (id: string, effect: Effect): Operation =>
    defineOperation({ id, description: "Act", effect, handler: () => ran.push(id) });
  const operations = [
    leaf("thing.view", "read"),
    leaf("thing.make", "write"),
    leaf("thing.kill", "destructive"),
    outer("read.view", "read", "thing.view"),
    outer("read.make", "read", "thing.make"),
    outer("read.kill", "read", "thing.kill"),
    outer("write.make", "write", "thing.make"),
    outer("write.kill", "write", "thing.kill"),
    outer("kill.kill", "destructive", "thing.kill"),
    outer("read.deep", "read", "write.kill"),
    defineOperation({
      id: "read.env",
      description: "Call another by env",
      effect: "read",
      handler: async (_input, { env }) => env["thing"]!["kill"]!(),
    }),
    defineSubscription({
      id: "thing.watch",
      description: "Watch",
      effect: "read",
      handler: async function* (_input, context) {
        yield 1;
        yield (await context.call("thing.kill")).data;
      },
    }),
  ];
  return { ran, waybill: createWaybill({ operations, ...(policy && { policy }) }) };
}

async function code(id: string, policy?: Policy): Promise<string | undefined> {
  const { ran, waybill } = setup(policy);
  const { error } = await waybill.execute(id);
  expect(ran.length).toBe(error === null ? 1 : 0);
  return error?.code;
}

describe("policy for nested calls", () => {
  it.each<[string, string, Policy | undefined, string]>([
    ["a read that calls a read", "read.view", undefined, "none"],
    ["a read that calls a write", "read.make", undefined, "none"],
    ["a read that calls a destructive operation", "read.kill", undefined, "POLICY"],
    ["a read that calls a destructive operation by env", "read.env", undefined, "POLICY"],
    ["a write that calls a destructive operation", "write.kill", undefined, "POLICY"],
    [
      "a read that calls a write that calls a destructive operation",
      "read.deep",
      undefined,
      "POLICY",
    ],
    ["a read that calls a destructive operation", "read.kill", { confirm: "none" }, "none"],
    ["a read that calls a write", "read.make", { confirm: "writes" }, "POLICY"],
    ["a read that calls a write", "read.make", { read_only: true }, "POLICY"],
    ["a read that calls a read", "read.view", { read_only: true }, "none"],
    ["a read that calls a read", "read.view", { deny: ["thing.*"] }, "POLICY"],
    ["a read that calls a read", "read.view", { allow: ["read.*"] }, "POLICY"],
    ["a read that calls a read", "read.view", { allow: ["read.*", "thing.view"] }, "none"],
  ])("%s (%s) with the policy %j ends with the error %s", async (_what, id, policy, expected) => {
    expect((await code(id, policy)) ?? "none").toBe(expected);
  });

  it("an approved call may make nested calls that would need an approval by themselves", async () => {
    const { ran, waybill } = setup();
    const refused = await waybill.execute("kill.kill");
    const approve = String(refused.error?.details?.["approve"]);
    expect((await waybill.execute("kill.kill", {}, { approve })).ok).toBe(true);
    expect(ran).toEqual(["thing.kill"]);
    const strict = setup({ confirm: "writes" });
    const first = await strict.waybill.execute("write.make");
    const again = { approve: String(first.error?.details?.["approve"]) };
    expect((await strict.waybill.execute("write.make", {}, again)).ok).toBe(true);
  });

  it("the refusal of a nested call names the reason and the next step", async () => {
    const { error } = await setup().waybill.execute("read.kill");
    expect(error?.message).toContain("thing.kill needs an approval");
    expect(error?.details?.["hint"]).toContain("Call thing.kill itself");
    expect(error?.details).not.toHaveProperty("approve");
  });
});

describe("policy for subscriptions", () => {
  it("a subscription that the policy forbids is refused", async () => {
    const { waybill } = setup({ deny: ["thing.watch"] });
    const refused = { details: { code: "POLICY", outcome: "not_applied" } };
    await expect(waybill.subscribe("thing.watch").next()).rejects.toMatchObject(refused);
    const writes = setup({ read_only: true });
    await expect(writes.waybill.subscribe("thing.make").next()).rejects.toMatchObject(refused);
    expect(writes.ran).toEqual([]);
  });

  it("a subscription's handler cannot make a call that the policy forbids", async () => {
    const { ran, waybill } = setup();
    const values = waybill.subscribe("thing.watch");
    expect((await values.next()).value).toMatchObject({ data: 1 });
    await expect(values.next()).rejects.toMatchObject({ details: { code: "POLICY" } });
    expect(ran).toEqual([]);
  });

  it("a destructive subscription needs an approval", async () => {
    const { ran, waybill } = setup();
    const refused = await waybill
      .subscribe("thing.kill")
      .next()
      .catch((error: unknown) => error);
    const { approve } = (refused as { details: { approve: string } }).details;
    expect(ran).toEqual([]);
    await waybill.subscribe("thing.kill", {}, { approve }).next();
    expect(ran).toEqual(["thing.kill"]);
  });

  it("an unknown option of a subscription is refused with the nearest option", async () => {
    const { waybill } = setup();
    const options = { aprove: "x" } as object;
    await expect(waybill.subscribe("thing.watch", {}, options).next()).rejects.toThrow(
      "did you mean approve?",
    );
  });
});

const card = (id: string, more: Partial<Card>): Card => ({
  capability_id: id,
  version: "1.0.0",
  description: "A card",
  effect: "read",
  input_schema: { type: "object", properties: { title: { type: "string" } } },
  output_schema: { type: "object" },
  routing: { preferred: "rest", fallbacks: [] },
  rest: { method: "GET", path: "/issues", output: { items: "@" } },
  ...more,
});
const create = card("issue.create", {
  effect: "write",
  rest: { method: "POST", path: "/issues", body: { title: "title" }, output: { title: "title" } },
  verify: { capability: "issue.list", params: {}, same: { title: "title" } },
});

describe("policy for verify reads", () => {
  it("a read that would verify a write is not sent if the policy forbids it", async () => {
    const looks: string[] = [];
    const send = async (request: CardRequest) => {
      if (request.kind === "rest" && request.method === "POST") {
        throw fail("SERVER", "lost", { outcome: "unknown" });
      }
      looks.push("issue.list");
      const meta = { statusCode: 200, headers: {}, contentType: "" };
      return { response: httpEnvelope([], meta), upstreamRequests: 1 };
    };
    const route = { route: "rest", needs: [], send, describe: () => ({}) } as const;
    const cards = await Promise.all(
      [card("issue.list", {}), create].map((each) => prepareCard(each)),
    );
    const operations = cards.map((each) => cardOperation(each, { routes: [route] }));
    const narrow = createWaybill({ operations, policy: { allow: ["issue.create"] } });
    const { error } = await narrow.execute("issue.create", { title: "a" });
    expect([error?.code, error?.details?.["outcome"], looks]).toEqual(["SERVER", "unknown", []]);
    const wide = createWaybill({ operations, policy: { allow: ["issue.*"] } });
    await wide.execute("issue.create", { title: "a" });
    expect(looks).not.toEqual([]);
  });
});
