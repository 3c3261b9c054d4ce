import { describe, expect, it } from "vitest";
import { packSummaries, unpackSummaries } from "../source/index.ts";
import { createWaybill, defineOperation, localSource } from "../index.ts";
import type { OperationSummary, Source } from "../index.ts";

const THINGS = ["invoice", "refund", "customer", "webhook", "payout", "straße", "顧客"];
const ACTIONS = ["list", "create", "delete", "view", "update"];

const OPERATIONS = THINGS.flatMap((thing, n) =>
  ACTIONS.map((action) =>
    defineOperation({
      id: `shop.${/^[a-z]+$/u.test(thing) ? thing : `thing${n}`}.${action}`,
      description: `${action} the ${thing} of an account`,
      effect: action === "list" || action === "view" ? "read" : "write",
      handler: () => action,
    }),
  ),
);

const QUERIES = [
  "refund",
  "create an invoice",
  "invoices of a customer",
  "custmer",
  "webh",
  "list all",
  "straße",
  "顧客",
  "limit",
  "part3",
  "nothing like it",
];

/** The same source, with a list that is read from packed bytes. */
function packed(source: Source, summaries: readonly OperationSummary[]): Source {
  const kept = unpackSummaries(packSummaries(summaries)!)!;
  return { ...source, list: async () => kept.summaries, wordIndex: () => kept.words };
}

/** The summaries as a source with descriptions gives them, including the names of inputs. */
async function summarise(source: Source): Promise<OperationSummary[]> {
  const listed = await source.list();
  return listed.map((spec, n) => ({ ...spec, parameters: [`part${n % 7}`, "limit"] }));
}

describe("packSummaries and unpackSummaries", () => {
  it.each(QUERIES)(
    "a packed search index gives the same results for %j as the operations themselves",
    async (query) => {
      const source = localSource("shop", OPERATIONS);
      const summaries = await summarise(source);
      const kept = packed(source, summaries);
      const live = createWaybill({ sources: [{ ...source, list: async () => summaries }] });
      const found = await createWaybill({ sources: [kept] }).list_capabilities({ query });
      expect(found).toEqual(await live.list_capabilities({ query }));
    },
  );

  it("a packed search index keeps every member of an operation's summary", async () => {
    const summaries: OperationSummary[] = (["read", "write", "destructive"] as const).map(
      (effect, n) => ({
        id: `a.b${n}`,
        description: `does ${effect}`,
        effect,
        idempotent: n === 1,
        kind: n === 2 ? "subscription" : "call",
        parameters: ["x", "y"].slice(n),
        exposed: n !== 0,
        assumed: n === 2,
        safe: n === 0,
        raw: n === 1,
      }),
    );
    const kept = unpackSummaries(packSummaries(summaries)!)!.summaries.map((one) => ({
      id: one.id,
      description: one.description,
      effect: one.effect,
      idempotent: one.idempotent,
      kind: one.kind,
      parameters: one.parameters,
      exposed: one.exposed,
      assumed: one.assumed,
      safe: one.safe,
      raw: one.raw,
    }));
    expect(kept).toEqual(summaries);
  });

  it("a search covers a packed search index together with other operations, until the source is closed", async () => {
    const source = localSource("shop", OPERATIONS);
    const kept = packed(source, await summarise(source));
    const other = defineOperation({
      id: "bank.refund.view",
      description: "view the refund of a bank",
      effect: "read",
      handler: () => 1,
    });
    const waybill = createWaybill({ operations: [other], sources: [kept] });
    const found = await waybill.list_capabilities({ query: "view refund" });
    const ids = found.map(({ capability_id }) => capability_id).slice(0, 2);
    expect(ids.toSorted()).toEqual(["bank.refund.view", "shop.refund.view"]);
    expect((await waybill.execute("shop.refund.view")).data).toBe("view");
    await waybill.close();
    const left = await waybill.list_capabilities({ query: "view refund" });
    expect(left.map(({ capability_id }) => capability_id)).toEqual(["bank.refund.view"]);
  });

  it("a search finds every operation of a packed search index even if another source has one of its ids", async () => {
    const source = localSource("shop", OPERATIONS);
    const kept = packed(source, await summarise(source));
    const holder = defineOperation({
      id: "shop.payout.list",
      description: "Say how much is left",
      effect: "read",
      handler: () => 1,
    });
    const waybill = createWaybill({ operations: [holder], sources: [kept] });
    const found = await waybill.list_capabilities({ query: "list payouts" });
    const ids = found.map(({ capability_id }) => capability_id);
    expect(ids).toContain("shop.shop.payout.list");
    expect(ids).toContain("shop.invoice.list");
  });

  it.each([
    ["no bytes", (bytes: Uint8Array) => bytes.subarray(0, 0)],
    ["a part of the bytes", (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1)],
    ["other bytes", (bytes: Uint8Array) => bytes.map((byte) => byte ^ 255)],
  ])("unpackSummaries returns undefined for damaged bytes: %s", async (_name, change) => {
    const bytes = packSummaries(await summarise(localSource("shop", OPERATIONS)))!;
    expect(unpackSummaries(change(bytes))).toBeUndefined();
  });

  it("a packed search index can be read from bytes at any offset in memory", async () => {
    const bytes = packSummaries(await summarise(localSource("shop", OPERATIONS)))!;
    const moved = new Uint8Array(bytes.length + 1);
    moved.set(bytes, 1);
    const kept = unpackSummaries(moved.subarray(1));
    expect(kept?.summaries).toHaveLength(OPERATIONS.length);
  });

  it("a packed search index has the signatures of the operations that can be described", async () => {
    const summaries = await summarise(localSource("shop", OPERATIONS));
    const properties = { invoice: { type: "string" }, amount: { type: "integer" } };
    const bytes = packSummaries(summaries, (id) => {
      if (id === "shop.refund.list") throw new Error("broken");
      return { inputSchema: { type: "object", properties, required: ["amount"] } };
    });
    const kept = unpackSummaries(bytes!)!;
    const signatures = new Map(kept.summaries.map(({ id, signature }) => [id, signature]));
    expect(kept.hasSignatures).toBe(true);
    expect(signatures.get("shop.refund.list")).toBeUndefined();
    expect(signatures.get("shop.refund.create")).toBe("(amount:integer, invoice?)");
    expect(kept.summaries.map(({ description }) => description)).toEqual(
      summaries.map(({ description }) => description),
    );
  });

  it("a packed search index without signatures can be read", async () => {
    const kept = unpackSummaries(packSummaries(await summarise(localSource("shop", OPERATIONS)))!)!;
    expect(kept.hasSignatures).toBe(false);
    expect(kept.summaries.map(({ signature }) => signature)).toEqual(
      OPERATIONS.map(() => undefined),
    );
  });

  it("a packed search index does not contain an untrusted operation", () => {
    const summary: OperationSummary = {
      id: "a.b",
      description: "",
      effect: "write",
      idempotent: false,
      kind: "call",
      needsTrust: "run waybill trust",
    };
    expect(packSummaries([summary])).toBeUndefined();
  });
});

describe("sources that are listed before they are loaded", () => {
  it("a source with a packed search index is loaded once by its first call, and not by a search", async () => {
    let loads = 0;
    const inner = localSource("shop", OPERATIONS);
    const summaries = await summarise(inner);
    const source: Source = {
      ...packed(inner, summaries),
      get isLoaded() {
        return loads > 0;
      },
      load: async () => {
        loads += 1;
        return false;
      },
    };
    const waybill = createWaybill({ sources: [source] });
    await waybill.list_capabilities({ query: "refund" });
    expect(loads).toBe(0);
    expect((await waybill.execute("shop.refund.list")).data).toBe("list");
    expect((await waybill.execute("shop.refund.view")).data).toBe("view");
    expect(loads).toBe(1);
  });

  it("a source with a packed search index that changed offers its new operations after it is loaded", async () => {
    const before = localSource("shop", OPERATIONS.slice(0, 1));
    const after = localSource("shop", OPERATIONS.slice(1, 2));
    let now = before;
    const source: Source = {
      ...after,
      list: () => now.list(),
      get isLoaded() {
        return now === after;
      },
      load: async () => {
        now = after;
        return true;
      },
    };
    const waybill = createWaybill({ sources: [source] });
    await waybill.list_capabilities();
    const { error } = await waybill.execute("shop.invoice.list");
    expect(error?.code).toBe("NOT_FOUND");
    expect((await waybill.execute("shop.invoice.create")).data).toBe("create");
  });

  it("a call of a source with a packed search index fails with the reason if the source cannot be loaded", async () => {
    const source: Source = {
      ...localSource("shop", OPERATIONS),
      isLoaded: false,
      load: () => Promise.reject(new Error("the description is gone")),
    };
    const waybill = createWaybill({ sources: [source] });
    expect(await waybill.list_capabilities({ query: "refund" })).not.toEqual([]);
    const { error } = await waybill.execute("shop.refund.list");
    expect(error).toMatchObject({
      code: "NETWORK",
      message: "The source shop cannot be used: the description is gone",
    });
  });
});
