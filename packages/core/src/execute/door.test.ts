import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fail } from "../envelope/index.ts";
import { defineOperation, defineSubscription } from "../operation/index.ts";
import { createWaybill } from "./index.ts";
import type { Waybill } from "./index.ts";

const schedule = defineOperation({
  id: "calendar.schedule",
  description: "Schedule a meeting.",
  input: z.object({ minutes: z.int(), room: z.enum(["red", "blue"]) }),
  handler: (input) => input,
});

describe("Waybill with odd callers", () => {
  it("a call converts a number that is sent as text if the schema comes from a schema library", async () => {
    const waybill: Waybill = createWaybill({ operations: [schedule] });
    const answer = await waybill.execute("calendar.schedule", { minutes: "30", room: "red" });
    expect(answer.data).toEqual({ minutes: 30, room: "red" });
  });

  it("the error for a wrong input value lists the allowed values if the schema comes from a schema library", async () => {
    const waybill: Waybill = createWaybill({ operations: [schedule] });
    const answer = await waybill.execute("calendar.schedule", { minutes: 5, room: "rad" });
    expect(answer.error?.details?.["issues"]).toMatchObject([
      { path: "/room", allowed: ["red", "blue"], did_you_mean: "red" },
    ]);
  });

  it("a call reports unknown inputs and wrong values in one error", async () => {
    const operation = defineOperation({
      id: "a.b",
      description: "Takes two.",
      input: {
        type: "object",
        required: ["to"],
        properties: { to: { type: "string" }, k: { type: "integer" } },
      },
      handler: () => null,
    });
    const waybill: Waybill = createWaybill({ operations: [operation] });
    const answer = await waybill.execute("a.b", { tooo: 1, k: {} });
    const issues = answer.error?.details?.["issues"] as { path: string }[];
    expect(issues.map(({ path }) => path).toSorted()).toEqual(["/k", "/to", "/tooo"]);
  });

  it("a call stops a validation that never ends at the deadline", async () => {
    const never = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: () => new Promise<never>(() => {}),
        jsonSchema: { input: () => ({}), output: () => ({}) },
      },
    } as const;
    const operation = defineOperation({
      id: "a.b",
      description: "Never validated.",
      input: never,
      handler: () => null,
    });
    const answer = await createWaybill({ operations: [operation] }).execute(
      "a.b",
      {},
      { deadline_ms: 30 },
    );
    expect(answer.error?.code).toBe("TIMEOUT");
  });

  it("a call with options that throw when they are read returns VALIDATION", async () => {
    const options = {
      get trace(): boolean {
        throw new Error("no");
      },
    };
    const answer = await createWaybill().execute("a.b", {}, options);
    expect(answer.error?.code).toBe("VALIDATION");
  });

  it("a call with a missing or malformed identity has no access rights", async () => {
    const guarded = defineOperation({
      id: "a.b",
      description: "Guarded.",
      access: { all: ["admin"] },
      handler: () => "secret",
    });
    const waybill = createWaybill({ operations: [guarded] });
    const missing = undefined as unknown as Parameters<typeof waybill.as>[0];
    const odd = { id: "odd", scopes: "admin-none" } as unknown as Parameters<typeof waybill.as>[0];
    for (const identity of [missing, odd]) {
      expect((await waybill.as(identity).execute("a.b")).error?.code).toBe("POLICY");
    }
    expect((await waybill.execute("a.b")).data).toBe("secret");
  });

  it("a subscription converts its input and resolves aliases as a call does", async () => {
    const count = defineSubscription({
      id: "clock.count",
      description: "Count.",
      effect: "read",
      aliases: { to: ["until"] },
      input: { type: "object", properties: { to: { type: "integer" } } },
      async *handler({ to = 0 }) {
        for (let value = 1; value <= to; value++) yield value;
      },
    });
    const waybill = createWaybill({ operations: [count] });
    const seen: unknown[] = [];
    for await (const { data } of waybill.subscribe("clock.count", { until: "2" })) seen.push(data);
    expect(seen).toEqual([1, 2]);
    await expect(waybill.subscribe("clock.count", { untill: 2 }).next()).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("an error answer of a call is cut to max_tokens", async () => {
    const operation = defineOperation({
      id: "a.b",
      description: "Fails at length.",
      handler: () => {
        throw fail("CONFLICT", "x ".repeat(5_000), { blob: "y ".repeat(50_000) });
      },
    });
    const waybill = createWaybill({ operations: [operation] });
    const answer = await waybill.execute("a.b", {}, { max_tokens: 300 });
    expect(JSON.stringify(answer).length).toBeLessThan(1_200);
    expect(answer.error).toMatchObject({ code: "CONFLICT", details: { outcome: "unknown" } });
  });

  it("a closed Waybill closes sources that were never loaded, and returns NOT_READY to later calls", async () => {
    let closed = 0;
    const source = {
      name: "never",
      list: () => new Promise<never>(() => {}),
      describe: () => {
        throw new Error("not listed");
      },
      runOf: () => ({ kind: "local", handler: () => null }) as const,
      close: async () => {
        closed += 1;
      },
    };
    const waybill = createWaybill({ sources: [source] });
    await waybill.close();
    expect(closed).toBe(1);
    expect((await waybill.execute("never.mind")).error?.code).toBe("NOT_READY");
  });

  it.each([{ query: 5 }, { limmit: 3 }, { domain: null }])(
    "list_capabilities refuses the options %j",
    async (options) => {
      const listing = createWaybill().list_capabilities(options as object);
      await expect(listing).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    },
  );
});
