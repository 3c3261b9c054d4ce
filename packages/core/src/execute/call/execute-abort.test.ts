import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../../test/support/stop-clock.ts";
import { CallError } from "../../envelope/index.ts";
import { AbortNode, defineOperation } from "../../operation/index.ts";
import type { OperationContext } from "../../operation/index.ts";
import { OperationRegistry } from "../index.ts";

const never = (): Promise<never> => new Promise(() => {});

/** `tree.leaf` never answers; `tree.node` waits for two calls of `tree.leaf`. */
function tree(seen: OperationContext[] = []): OperationRegistry {
  const registry = new OperationRegistry();
  registry.register(
    defineOperation({
      id: "tree.leaf",
      description: "",
      handler(_input, context) {
        seen.push(context);
        return never();
      },
    }),
  );
  registry.register(
    defineOperation({
      id: "tree.node",
      description: "",
      async handler(_input, context) {
        seen.push(context);
        await Promise.all([context.call("tree.leaf"), context.call("tree.leaf")]);
      },
    }),
  );
  registry.register(defineOperation({ id: "tree.fruit", description: "", handler: () => "apple" }));
  return registry;
}

async function ready(registry: OperationRegistry): Promise<OperationRegistry> {
  await registry.execute("tree.fruit");
  return registry;
}

describe("deadline of a call", () => {
  it("the deadline of a call ends the call if its handler never returns, and aborts the handler", async () => {
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const pass = stopClock();
    const call = registry.execute("tree.leaf", {}, { deadline: Date.now() + 200 });
    await expect.poll(() => seen).toHaveLength(1);
    const { signal, deadline } = seen[0]!;
    expect([signal.aborted, typeof deadline]).toEqual([false, "number"]);
    const ended = call.catch((error: unknown) => error);
    await pass(200);
    expect(await ended).toMatchObject({ code: "TIMEOUT", details: { outcome: "unknown" } });
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ code: "TIMEOUT" });
  });

  it("the deadline of a call ends its nested calls at every level with TIMEOUT", async () => {
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const pass = stopClock();
    const deadline = Date.now() + 100;
    const call = registry.execute("tree.node", {}, { deadline });
    const ended = call.catch((error: unknown) => error);
    await expect.poll(() => seen).toHaveLength(3);
    await pass(100);
    expect(await ended).toMatchObject({ code: "TIMEOUT" });
    for (const context of seen) {
      expect(context.deadline).toBe(deadline);
      expect(context.signal.reason).toMatchObject({ code: "TIMEOUT" });
    }
  });

  it("a call whose deadline has passed runs nothing", async () => {
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const call = registry.execute("tree.leaf", {}, { deadline: Date.now() - 1 });
    await expect(call).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { outcome: "not_applied" },
    });
    expect(seen).toEqual([]);
  });
});

describe("abort of a call", () => {
  it("an aborted signal ends the call and its nested calls with its reason", async () => {
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const controller = new AbortController();
    const call = registry.execute("tree.node", {}, { signal: controller.signal });
    await expect.poll(() => seen).toHaveLength(3);
    const signals = seen.map(({ signal }) => signal);
    controller.abort("changed my mind");
    await expect(call).rejects.toMatchObject({
      code: "ABORTED",
      message: "The call was aborted by its caller: changed my mind",
    });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it("a call ends with the signal's reason if the signal is aborted while the handler starts", async () => {
    const controller = new AbortController();
    const registry = new OperationRegistry();
    const handler = (): Promise<never> => {
      controller.abort("at once");
      return never();
    };
    registry.register(defineOperation({ id: "tree.fall", description: "", handler }));
    const call = registry.execute("tree.fall", {}, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "ABORTED", details: { outcome: "unknown" } });
  });

  it("a call whose signal is already aborted runs nothing", async () => {
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const call = registry.execute("tree.leaf", {}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({
      code: "ABORTED",
      details: { outcome: "not_applied" },
    });
    expect(seen).toEqual([]);
  });

  it("a call aborted by a timeout signal fails with TIMEOUT, and a call aborted with a CallError fails with that error", async () => {
    const registry = await ready(tree());
    const late = new DOMException("late", "TimeoutError");
    const timed = registry.execute("tree.leaf", {}, { signal: AbortSignal.abort(late) });
    await expect(timed).rejects.toMatchObject({ code: "TIMEOUT" });
    const reason = new CallError("OUTCOME_UNKNOWN", "the line is dead");
    const cut = registry.execute("tree.leaf", {}, { signal: AbortSignal.abort(reason) });
    await expect(cut).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  });

  it("a handler that reads its signal only after the deadline sees the signal aborted", async () => {
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const pass = stopClock();
    const call = registry.execute("tree.leaf", {}, { deadline: Date.now() + 100 }).catch(() => {});
    await expect.poll(() => seen).toHaveLength(1);
    await pass(100);
    await call;
    expect(seen[0]!.signal.aborted).toBe(true);
  });

  it("an abort after the end of a call has no effect on the call", async () => {
    const controller = new AbortController();
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const pass = stopClock();
    const options = { signal: controller.signal, deadline: Date.now() + 40 };
    expect((await registry.execute("tree.fruit", {}, options)).data).toBe("apple");
    controller.abort();
    await pass(60);
    expect((await registry.execute("tree.fruit")).data).toBe("apple");
  });

  it("the result or error that a handler gives after the abort of its call is ignored", async () => {
    const pass = stopClock();
    let calls = 0;
    async function late(_input: unknown, { signal }: OperationContext): Promise<string> {
      calls += 1;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return "too late";
    }
    const registry = new OperationRegistry();
    registry.register(defineOperation({ id: "late.answer", description: "", handler: late }));
    registry.register(
      defineOperation({
        id: "late.failure",
        description: "",
        handler: async (input, context) => Promise.reject(new Error(await late(input, context))),
      }),
    );
    for (const [index, id] of ["late.answer", "late.failure"].entries()) {
      const call = registry.execute(id, {}, { deadline: Date.now() + 200 });
      const ended = call.catch((error: unknown) => error);
      await expect.poll(() => calls).toBe(index + 1);
      await pass(200);
      expect(await ended).toMatchObject({ code: "TIMEOUT" });
    }
  });

  it("a call whose parent is aborted ends", async () => {
    class Parent extends AbortNode {
      protected override onAbort(): void {}
    }
    const parent = new Parent();
    const seen: OperationContext[] = [];
    const registry = await ready(tree(seen));
    const call = registry.execute("tree.leaf", {}, { parent });
    await expect.poll(() => seen).toHaveLength(1);
    parent.abort(new CallError("ABORTED", "the parent ended"));
    await expect(call).rejects.toThrow("the parent ended");
    const later = registry.execute("tree.fruit", {}, { parent });
    await expect(later).rejects.toMatchObject({ details: { outcome: "not_applied" } });
  });
});
