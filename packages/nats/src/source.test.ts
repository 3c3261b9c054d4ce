import {
  OperationRegistry,
  createWaybill,
  defineOperation,
  defineSubscription,
  localSource,
  memoryJournal,
  PendingRequestMap,
} from "@waybill/core";
import { executeRemotely } from "@waybill/core/protocol";
import type { Source } from "@waybill/core";
import { sourceContract } from "@waybill/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeWithServer, newService } from "../../../test/support/nats.ts";
import { connectNats, natsJournal, natsSource, serveNats } from "./index.ts";
import type { NatsLink, NatsOptions } from "./index.ts";

const add = defineOperation({
  id: "math.add",
  description: "Adds two numbers.",
  effect: "read",
  input: {
    type: "object",
    required: ["a", "b"],
    properties: { a: { type: "number" }, b: { type: "number" } },
  },
  output: { type: "object", properties: { sum: { type: "number" } } },
  handler: ({ a, b }) => ({ sum: a + b }),
});

const count = defineSubscription({
  id: "math.count",
  description: "Counts.",
  effect: "read",
  async *handler() {
    for (let value = 0; ; value++) yield value;
  },
});

/** Reads `octo#7` as an owner and a number. */
function readReference({ at, ...others }: Readonly<Record<string, unknown>>) {
  if (typeof at !== "string") return others;
  const [owner, number] = at.split("#");
  return { owner, number, ...others };
}

describeWithServer((server) => {
  async function link(service: string, more: Partial<NatsOptions> = {}): Promise<NatsLink> {
    const made = await connectNats({ servers: server().url, service, ...more });
    onTestFinished(() => made.close());
    return made;
  }

  /** A worker that serves `add` and `count`, and an operation tea.order that records each order. */
  async function worker(service: string, more: Partial<NatsOptions> = {}) {
    const orders: string[] = [];
    const order = defineOperation({
      id: "tea.order",
      description: "Orders tea.",
      input: { type: "object", properties: { cup: { type: "string" } } },
      handler: ({ cup = "" }, { identity }) => {
        orders.push(`${cup} for ${identity?.id ?? "the program"}`);
        return { orders: orders.length };
      },
    });
    const made = await link(service, more);
    const waybill = createWaybill({
      operations: [add, count, order],
      journal: natsJournal(made),
    });
    return { orders, waybill, service: await serveNats(made, waybill), link: made };
  }

  async function makeSource(): Promise<Source> {
    const service = newService();
    const registry = new OperationRegistry();
    registry.register(add);
    await serveNats(await link(service), registry);
    return natsSource("far", { servers: server().url, service });
  }

  describe("a NATS service as a source", () => {
    const example = { id: "far.math.add", input: { a: 1, b: 2 }, data: { sum: 3 }, badInput: {} };
    for (const { name, run } of sourceContract(makeSource, example)) it(name, () => run());

    it("operations of a NATS service can be found, explained, called and subscribed to", async () => {
      const service = newService();
      await worker(service);
      const waybill = createWaybill({
        sources: [natsSource("far", { servers: server().url, service })],
      });
      onTestFinished(() => waybill.close());
      const [found] = await waybill.list_capabilities({ query: "add numbers" });
      expect(found).toMatchObject({
        capability_id: "far.math.add",
        description: "Adds two numbers.",
        source: "far",
      });
      const { required_inputs } = await waybill.explain("far.math.add");
      expect(required_inputs).toEqual(["a:number", "b:number"]);
      const { data } = await waybill.execute("far.math.add", { a: 20, b: 22 });
      expect(data).toEqual({ sum: 42 });
      const seen: unknown[] = [];
      for await (const value of waybill.subscribe("far.math.count")) {
        seen.push([value.data, value.meta.sequence]);
        if (seen.length === 3) break;
      }
      expect(seen).toEqual([
        [0, 0],
        [1, 1],
        [2, 2],
      ]);
    });

    it("inputs that only the NATS worker can read are sent to the worker unchanged", async () => {
      const service = newService();
      const view = defineOperation({
        id: "issue.view",
        description: "Shows an issue.",
        effect: "read",
        input: {
          type: "object",
          required: ["owner", "number"],
          properties: { owner: { type: "string" }, number: { type: "integer" } },
        },
        handler: (input) => input,
      });
      const operation = { ...view, spec: { ...view.spec, normaliseInput: readReference } };
      await serveNats(
        await link(service),
        createWaybill({ sources: [localSource("hub", [operation])] }),
      );
      const sources = [natsSource("far", await link(service))];
      const waybill = createWaybill({ sources });
      const call = (params: object) => waybill.execute("far.issue.view", params);
      const data = { owner: "octo", number: 7 };
      expect(await call({ at: "octo#7" })).toMatchObject({ ok: true, data });
      expect(await call({ owner: "octo", number: "7" })).toMatchObject({ ok: true, data });
      const chained = await waybill.chain([
        { id: "one", task: "far.issue.view", params: { at: "octo#7" } },
        { task: "far.issue.view", params: { at: { $from: "one.data.owner" }, number: 8 } },
      ]);
      expect(chained.results.map((each) => each.data)).toEqual([
        data,
        { owner: "octo", number: 8 },
      ]);
      const wrong = await call({ at: "octo#seven" });
      expect(wrong.error).toMatchObject({
        code: "VALIDATION",
        details: { signature: "issue.view(owner, number:integer)" },
      });
      expect(wrong.error?.message).toContain("/number must be integer");
      expect((await call({ owner: "octo", nummer: 7 })).error?.message).toContain("/nummer");
      expect((await waybill.explain("far.issue.view")).required_inputs).toEqual([
        "owner:string",
        "number:integer",
      ]);
    });

    it("the handler of a NATS worker gets the caller's request id, deadline and key", async () => {
      const service = newService();
      const registry = new OperationRegistry();
      registry.register(
        defineOperation({
          id: "call.facts",
          description: "Says what it knows of its call",
          handler: (_input, { parentRequestId, deadline, idempotencyKey }) => ({
            parentRequestId,
            hasDeadline: deadline !== undefined && deadline > Date.now(),
            idempotencyKey,
          }),
        }),
      );
      await serveNats(await link(service), registry);
      const sources = [natsSource("far", await link(service))];
      const waybill = createWaybill({ sources, journal: memoryJournal() });
      const options = { deadline_ms: 60_000, idempotency_key: "k" };
      const { data, meta } = await waybill.execute("far.call.facts", {}, options);
      expect(data).toEqual({
        parentRequestId: meta.request_id,
        hasDeadline: true,
        idempotencyKey: "k",
      });
    });

    it("the list of a NATS service returns NETWORK while no worker runs, and succeeds after a worker starts", async () => {
      const service = newService();
      const source = natsSource("far", { servers: server().url, service });
      onTestFinished(() => source.close());
      await expect(source.list()).rejects.toMatchObject({
        details: { code: "NETWORK", preflight: "SOURCE_DOWN" },
      });
      await worker(service);
      expect((await source.list()).map(({ id }) => id)).toContain("far.math.add");
      const nowhere = natsSource("far", { servers: "nats://127.0.0.1:1" });
      await expect(nowhere.list()).rejects.toMatchObject({ details: { code: "NETWORK" } });
      await nowhere.close();
    });

    it("a NATS source lists an operation with a very large schema without the schema, and omits an operation that cannot be read", async () => {
      const service = newService();
      const odd = {
        ...add.spec,
        id: "odd.one",
        inputSchema: { type: "object", description: "x".repeat(100_000) },
        get notes(): string[] {
          throw new Error("not today");
        },
      };
      const registry = new OperationRegistry();
      registry.register(add);
      registry.register({ spec: odd, run: { kind: "local", handler: () => 1 } });
      registry.register({
        spec: { ...add.spec, id: "large.one", inputSchema: odd.inputSchema },
        run: { kind: "local", handler: () => 2 },
      });
      await serveNats(await link(service), registry);
      const source = natsSource("far", await link(service));
      const ids = (await source.list()).map(({ id }) => id);
      expect(ids).toEqual(["far.large.one", "far.math.add"]);
      expect(source.describe("far.large.one").inputSchema).toBe(true);
    });

    it("a call of a NATS source returns NETWORK and not_applied at once if no worker runs", async () => {
      const service = newService();
      const { service: served } = await worker(service);
      const waybill = createWaybill({
        sources: [natsSource("far", { servers: server().url, service })],
      });
      onTestFinished(() => waybill.close());
      await waybill.list_capabilities();
      await served.drain();
      const { error, meta } = await waybill.execute("far.tea.order", {});
      expect(error).toMatchObject({ code: "NETWORK", details: { outcome: "not_applied" } });
      expect(meta.attempts).toMatchObject([
        { route: "local", status: "skipped", error_code: "SOURCE_DOWN" },
      ]);
    });
  });

  it("a keyed write that no NATS worker answers has an unknown outcome if an earlier call with the key was applied", async () => {
    const service = newService();
    const { service: served } = await worker(service);
    const far = natsSource("far", { servers: server().url, service }, { sharedJournal: true });
    const waybill = createWaybill({ sources: [far] });
    onTestFinished(() => waybill.close());
    const key = { idempotency_key: "k" };
    const first = await waybill.execute("far.tea.order", { cup: "blue" }, key);
    expect(first.ok).toBe(true);
    await served.drain();
    const { error } = await waybill.execute("far.tea.order", { cup: "blue" }, key);
    expect(error).toMatchObject({ code: "NETWORK", details: { outcome: "unknown" } });
    const calls = new PendingRequestMap({ transport: (await link(service)).transport });
    const remote = await executeRemotely(calls, "tea.order", { cup: "blue" }, key);
    expect(remote.error).toMatchObject({ code: "NETWORK", details: { outcome: "unknown" } });
  });

  describe("waybill.execute over NATS", () => {
    it("executeRemotely returns the worker's envelope, with attempts, outcome and replay", async () => {
      const service = newService();
      const { orders } = await worker(service);
      const calls = new PendingRequestMap({ transport: (await link(service)).transport });
      const key = { idempotency_key: "monday ☕", trace: true };
      const first = await executeRemotely(calls, "tea.order", { cup: "blue" }, key);
      expect(first).toMatchObject({ ok: true, data: { orders: 1 }, meta: { route_used: "local" } });
      expect(first.meta.attempts).toMatchObject([{ route: "local", status: "success" }]);
      const again = await executeRemotely(calls, "tea.order", { cup: "blue" }, key);
      expect(again).toMatchObject({ ok: true, data: { orders: 1 }, meta: { replayed: true } });
      const other = await executeRemotely(calls, "tea.order", { cup: "red" }, key);
      expect(other.error?.code).toBe("CONFLICT");
      expect(orders).toEqual(["blue for "]);
    });

    it("executeRemotely names the nearest capability and reports invalid input", async () => {
      const service = newService();
      await worker(service);
      const calls = new PendingRequestMap({ transport: (await link(service)).transport });
      const unknown = await executeRemotely(calls, "math.ad", {});
      expect(unknown.error).toMatchObject({
        code: "NOT_FOUND",
        details: { did_you_mean: ["math.add"] },
      });
      const wrong = await executeRemotely(calls, "math.add", { a: 1 });
      expect(wrong.error?.code).toBe("VALIDATION");
    });

    it("executeRemotely returns an envelope even if no worker answers", async () => {
      const service = newService();
      const calls = new PendingRequestMap({ transport: (await link(service)).transport });
      const { ok, error, meta } = await executeRemotely(calls, "math.add", { a: 1, b: 1 });
      expect([ok, error?.code, error?.details?.["outcome"]]).toEqual([
        false,
        "NETWORK",
        "not_applied",
      ]);
      expect(meta.attempts).toMatchObject([{ status: "skipped", error_code: "SOURCE_DOWN" }]);
    });
  });

  describe("two workers that share a journal", () => {
    it("two NATS workers with a shared journal apply a keyed write once", async () => {
      const service = newService();
      const workers = [await worker(service), await worker(service)];
      const calls = new PendingRequestMap({ transport: (await link(service)).transport });
      const all = Array.from({ length: 40 }, () =>
        executeRemotely(calls, "tea.order", { cup: "one" }, { idempotency_key: "k" }),
      );
      const results = await Promise.all(all);
      expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
      expect(workers.flatMap(({ orders }) => orders)).toEqual(["one for "]);
    });

    it("NATS workers with a shared journal record the keys of a caller that has no journal", async () => {
      const service = newService();
      const workers = [await worker(service), await worker(service)];
      const source = natsSource("far", await link(service), { sharedJournal: true });
      const waybill = createWaybill({ sources: [source] });
      const order = (cup: string) =>
        waybill.execute("far.tea.order", { cup }, { idempotency_key: "k" });
      const [first, again, other] = [await order("one"), await order("one"), await order("two")];
      expect([first.data, again.data]).toEqual([{ orders: 1 }, { orders: 1 }]);
      expect(other.error).toMatchObject({
        code: "CONFLICT",
        details: { outcome: "not_applied" },
      });
      expect(workers.flatMap(({ orders }) => orders)).toEqual(["one for "]);
    });

    it("a NATS source refuses a keyed write unless the source says that its workers share a journal", async () => {
      const service = newService();
      const { orders } = await worker(service);
      const waybill = createWaybill({ sources: [natsSource("far", await link(service))] });
      const options = { idempotency_key: "k" };
      const { error } = await waybill.execute("far.tea.order", { cup: "one" }, options);
      expect(error).toMatchObject({ code: "ADAPTER_UNSUPPORTED" });
      expect(orders).toEqual([]);
    });

    it("two workers of a NATS service share the calls", async () => {
      const service = newService();
      const workers = [await worker(service), await worker(service)];
      const calls = new PendingRequestMap({ transport: (await link(service)).transport });
      await Promise.all(Array.from({ length: 200 }, () => calls.call("tea.order", { cup: "any" })));
      const shares = workers.map(({ orders }) => orders.length);
      expect(shares[0]! + shares[1]!).toBe(200);
      expect(Math.min(...shares)).toBeGreaterThan(20);
    });
  });
});
