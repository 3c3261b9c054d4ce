import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineOperation, memoryJournal } from "@waybill/core";
import { afterAll, describe, expect, it } from "vitest";
import { openShop } from "../fixtures/shop.ts";
import { fileRunLog, memoryRunLog } from "../log/index.ts";
import type { RunLog } from "../log/index.ts";
import { createCodeRunner } from "./index.ts";

const folder = await mkdtemp(join(tmpdir(), "waybill-runs-"));
const runners: ReturnType<typeof createCodeRunner>[] = [];
afterAll(async () => {
  for (const runner of runners) runner.close();
  await rm(folder, { recursive: true, force: true });
});

function runnerWith(log: RunLog | undefined) {
  const runner = createCodeRunner(log === undefined ? {} : { log });
  runners.push(runner);
  return runner;
}

function isNoLock(path: string): boolean {
  return !path.endsWith(".lock");
}

const NOTES = `for (const n of [1, 2, 3]) {
  const o = await order.view(\`octo/shop#\${n}\`);
  await order.note(\`octo/shop#\${n}\`, { body: o.title });
}
return "done"`;

describe.each([
  ["in memory", memoryRunLog()],
  ["in files", fileRunLog(folder)],
])("a run with a key, stored %s", (kind, log) => {
  const runner = runnerWith(log);

  it("a run that is repeated with its key is answered from the run log and calls nothing", async () => {
    const shop = openShop();
    const options = { idempotency_key: `${kind} repeat` };
    const first = await runner.run(shop.waybill, NOTES, options);
    const again = await runner.run(shop.waybill, NOTES, options);
    expect(again).toEqual(first);
    expect(shop.applied).toEqual(["note 1 Order 1", "note 2 Order 2", "note 3 Order 3"]);
    expect(shop.reads).toEqual(["view 1", "view 2", "view 3"]);
  });

  it("a run can be repeated with its key alone, without the program", async () => {
    const shop = openShop();
    const options = { idempotency_key: `${kind} no program` };
    await runner.run(shop.waybill, NOTES, options);
    const again = await runner.run(shop.waybill, undefined, options);
    expect(again).toMatchObject({ ok: true, data: { value: "done" } });
    expect(shop.applied).toHaveLength(3);
  });

  it("a run refuses a key that was used with another program", async () => {
    const shop = openShop();
    const options = { idempotency_key: `${kind} other` };
    await runner.run(shop.waybill, NOTES, options);
    const { error } = await runner.run(shop.waybill, `${NOTES};`, options);
    expect(error).toMatchObject({ code: "CONFLICT", details: { outcome: "not_applied" } });
    expect(shop.applied).toHaveLength(3);
  });

  it("a run that is repeated with its key continues where it stopped, with the values that it had read", async () => {
    const shop = openShop();
    const options = { idempotency_key: `${kind} resume` };
    const program = `const all = [];
      for (const n of [1, 2, 3]) { all.push((await order.note(\`octo/shop#\${n}\`, { body: "x" })).id); await order.view(\`octo/shop#\${n + 1}\`); }
      return all`;
    shop.orders = 2;
    const first = await runner.run(shop.waybill, program, options);
    expect(first.error).toMatchObject({ code: "NOT_FOUND" });
    expect(first.error?.message).toContain("2 writes were applied before that");
    shop.orders = 25;
    const second = await runner.run(shop.waybill, program, options);
    expect(second).toMatchObject({ ok: true, data: { value: ["n1", "n2", "n3"] } });
    expect(shop.applied).toHaveLength(3);
    expect(shop.reads.filter((read) => read === "view 2")).toHaveLength(1);
  });

  it("a run that is repeated with its key reports a write whose response was lost as unknown and does not send it again", async () => {
    const shop = openShop();
    const program = 'await order.note("octo/shop#1", { body: "lose" }); return 1';
    const options = { idempotency_key: `${kind} lost` };
    const { error } = await runner.run(shop.waybill, program, options);
    expect(error).toMatchObject({
      code: "NETWORK",
      retryable: false,
      details: {
        outcome: "unknown",
        key: `${kind} lost`,
        writes: { unknown: [{ capability_id: "order.note" }] },
      },
    });
    const again = await runner.run(shop.waybill, program, options);
    expect(again.ok).toBe(false);
    expect(shop.applied).toEqual(["note 1 lose"]);
  });

  it("a run is refused while another run with its key continues", async () => {
    const shop = openShop();
    const options = { idempotency_key: `${kind} twice` };
    const both = await Promise.all([
      runner.run(shop.waybill, NOTES, options),
      runner.run(shop.waybill, NOTES, options),
    ]);
    const codes = both.map(({ error }) => error?.code ?? "ok");
    expect(codes.toSorted()).toEqual(["NOT_READY", "ok"]);
    expect(shop.applied).toHaveLength(3);
  });

  it("two callers can use one run key for different programs", async () => {
    const shop = openShop();
    const options = { idempotency_key: `${kind} caller` };
    await runner.run(shop.waybill, NOTES, options);
    const other = await runner.run(shop.waybill, "return 1", options, "someone else");
    expect(other).toMatchObject({ ok: true });
  });
});

describe("the log of runs", () => {
  it("a run with a key is refused if there is no log of runs, and sends nothing", async () => {
    const shop = openShop();
    const { error } = await runnerWith(undefined).run(shop.waybill, NOTES, {
      idempotency_key: "k",
    });
    expect(error?.code).toBe("NOT_READY");
    expect(shop.applied).toEqual([]);
  });

  it("a run with a key needs a writable log folder only if the program writes", async () => {
    const shop = openShop();
    const runner = runnerWith(fileRunLog("/dev/null/runs"));
    const program = 'return (await order.view("octo/shop#1")).number';
    expect(await runner.run(shop.waybill, program)).toMatchObject({ ok: true, data: { value: 1 } });
    const { error } = await runner.run(shop.waybill, NOTES);
    expect(error).toMatchObject({ code: "NOT_READY", details: { outcome: "not_applied" } });
    expect(shop.applied).toEqual([]);
  });

  it("a run whose log is lost reports a conflict when it is repeated, and writes nothing twice", async () => {
    const journal = memoryJournal();
    const shop = openShop({ journal });
    const options = { idempotency_key: "gone" };
    await runnerWith(memoryRunLog()).run(shop.waybill, NOTES, options);
    const { error } = await runnerWith(memoryRunLog()).run(shop.waybill, NOTES, options);
    expect(error?.code).toBe("CONFLICT");
    expect(shop.applied).toHaveLength(3);
  });

  it("a run that is repeated with its key sees the time and the random numbers of its first attempt", async () => {
    const shop = openShop();
    const runner = runnerWith(memoryRunLog());
    const program =
      'await order.note("octo/shop#1", { body: "x" }); return [Date.now(), Math.random()]';
    const first = await runner.run(shop.waybill, program, { idempotency_key: "k" });
    const again = await runner.run(shop.waybill, program, { idempotency_key: "k" });
    expect(again.data).toEqual(first.data);
    const other = await runner.run(shop.waybill, program, { idempotency_key: "l" });
    expect(other.data).not.toEqual(first.data);
  });

  it("a cancelled run reports its applied writes and the key to continue with", async () => {
    const shop = openShop();
    const ended = new AbortController();
    const program = 'await order.note("octo/shop#1", { body: "x" }); for (;;) await order.wait()';
    const wait = defineOperation({
      id: "order.wait",
      description: "Wait until the run ends",
      effect: "read",
      handler: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("ended")));
          ended.abort();
        }),
    });
    const { waybill } = openShop({ operations: [...shop.operations, wait] });
    const { signal } = ended;
    const { error } = await runnerWith(memoryRunLog()).run(waybill, program, { signal });
    expect(error).toMatchObject({
      code: "CANCELLED",
      details: { outcome: "applied", key: expect.any(String) as string },
    });
    expect(error?.message).toContain("1 write was applied before that.");
    expect(shop.applied).toEqual(["note 1 x"]);
  });
});

describe("a run whose process was killed during a write", () => {
  const program = `const found = await order.view("octo/shop#3").catch(() => undefined);
    if (found === undefined) await order.stuck();
    else await order.note("octo/shop#3", { body: "found" })`;
  const options = { idempotency_key: "killed" };
  /** The journal of a killed process records only that its write began. */
  const journal = {
    ...memoryJournal(),
    begin: async () => ({ state: "unknown", requestId: "r0" }) as const,
  };

  /**
   * Runs the program up to its write. Returns the stored state as it is if the process is killed
   * there.
   */
  async function killAtWrite(name: string) {
    const shop = openShop({}, 2);
    const kept = join(folder, name);
    let onWrite: (() => void) | undefined;
    const isWriting = new Promise<void>((resolve) => (onWrite = resolve));
    const stuck = defineOperation({
      id: "order.stuck",
      description: "Write, and never answer",
      effect: "write",
      handler: () => {
        shop.applied.push("stuck");
        onWrite?.();
        return new Promise(() => {});
      },
    });
    const operations = [...shop.operations, stuck];
    void runnerWith(fileRunLog(kept)).run(openShop({ operations }).waybill, program, options);
    await isWriting;
    await cp(kept, `${kept}-left`, { recursive: true, filter: isNoLock });
    shop.orders = 25;
    const { waybill } = openShop({ operations, journal });
    return { shop, waybill, runner: runnerWith(fileRunLog(`${kept}-left`)) };
  }

  it("a repeat of a killed run does not retry the read that failed before the write", async () => {
    const { shop, waybill, runner } = await killAtWrite("killed");
    const { error } = await runner.run(waybill, program, options);
    expect(error?.details).toMatchObject({ outcome: "unknown" });
    expect(shop.applied).toEqual(["stuck"]);
  });

  it("a repeat of a killed run reports the write as unknown, even if the repeat is cancelled at once", async () => {
    const { waybill, runner } = await killAtWrite("ended");
    const { error } = await runner.run(waybill, program, {
      ...options,
      signal: AbortSignal.abort(),
    });
    expect(error?.message).toContain("The outcome of 1 is unknown");
    expect(error?.details).toMatchObject({
      outcome: "unknown",
      key: "killed",
      writes: { unknown: [{ capability_id: "order.stuck" }] },
    });
  });
});
