import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { CallError } from "../envelope/index.ts";
import { sharedBundle } from "../../../../test/support/shared-bundle.ts";
import { stopClock } from "../../../../test/support/stop-clock.ts";
import { AbortNode, deadlineClock } from "./index.ts";

class Waiting extends AbortNode {
  readonly ended: Promise<CallError>;
  #tell!: (error: CallError) => void;

  constructor(order?: unknown[], label?: unknown) {
    super();
    this.ended = new Promise((resolve) => {
      this.#tell = (error) => {
        order?.push(label);
        resolve(error);
      };
    });
  }

  protected override onAbort(error: CallError): void {
    this.#tell(error);
  }
}

describe("deadlineClock", () => {
  it("a call ends with TIMEOUT at its deadline", async () => {
    const call = new Waiting();
    deadlineClock.add(call, Date.now() + 5);
    expect(await call.ended).toMatchObject({ code: "TIMEOUT" });
  });

  it("calls end in the order of their deadlines, not in the order in which the deadlines were added", async () => {
    const pass = stopClock();
    const order: unknown[] = [];
    const now = Date.now();
    const delays = [120, 20, 80, 50, 100];
    const calls = delays.map((delay) => {
      const call = new Waiting(order, delay);
      deadlineClock.add(call, now + delay);
      return call.ended;
    });
    await pass(120);
    await Promise.all(calls);
    expect(order).toEqual([20, 50, 80, 100, 120]);
  });

  it("1,000 calls with the same deadline all end", async () => {
    const deadline = Date.now() + 10;
    const calls = Array.from({ length: 1_000 }, () => new Waiting());
    for (const call of calls) deadlineClock.add(call, deadline);
    const errors = await Promise.all(calls.map(({ ended }) => ended));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["TIMEOUT"]));
  });

  it("a call whose deadline was removed does not time out, wherever the deadline stood among other deadlines", async () => {
    const deadline = Date.now() + 10;
    const calls = Array.from({ length: 5 }, () => new Waiting());
    const entries = calls.map((call) => deadlineClock.add(call, deadline));
    for (const index of [2, 0, 4]) deadlineClock.remove(entries[index]!);
    await Promise.all([calls[1]!.ended, calls[3]!.ended]);
    const later = new Waiting();
    deadlineClock.add(later, Date.now() + 10);
    await later.ended;
    const ended = calls.map(({ aborted }) => aborted !== undefined);
    expect(ended).toEqual([false, true, false, true, false]);
  });

  it("a deadline can be removed twice, and after it has passed, without an error", async () => {
    const call = new Waiting();
    const entry = deadlineClock.add(call, Date.now() + 5);
    const other = new Waiting();
    const removed = deadlineClock.add(other, Date.now() + 5);
    deadlineClock.remove(removed);
    deadlineClock.remove(removed);
    await call.ended;
    deadlineClock.remove(entry);
    expect(other.aborted).toBeUndefined();
  });

  it("a deadline that is further away than a timer can wait does not pass early, and other deadlines still pass", async () => {
    const far = new Waiting();
    const never = new Waiting();
    const entries = [
      deadlineClock.add(far, Date.now() + 2 ** 31 + 1_000),
      deadlineClock.add(never, Infinity),
    ];
    const near = new Waiting();
    deadlineClock.add(near, Date.now() + 10);
    await near.ended;
    const later = new Waiting();
    deadlineClock.add(later, Date.now() + 10);
    await later.ended;
    expect([far.aborted, never.aborted]).toEqual([undefined, undefined]);
    for (const entry of entries) deadlineClock.remove(entry);
  });

  it("a deadline that is not a number does not delay other deadlines", async () => {
    const senseless = deadlineClock.add(new Waiting(), Number.NaN);
    const first = new Waiting();
    const second = new Waiting();
    deadlineClock.add(first, Date.now() + 5);
    deadlineClock.add(second, Date.now() + 30);
    await first.ended;
    expect(await second.ended).toMatchObject({ code: "TIMEOUT" });
    deadlineClock.remove(senseless);
  });

  it("5,000 removed deadlines do not delay a later deadline", async () => {
    const now = Date.now();
    for (let index = 0; index < 5_000; index++) {
      deadlineClock.remove(deadlineClock.add(new Waiting(), now + 60_000 + index));
    }
    const call = new Waiting();
    deadlineClock.add(call, Date.now() + 5);
    expect(await call.ended).toMatchObject({ code: "TIMEOUT" });
  });
});

const run = promisify(execFile);
const index = await sharedBundle(new URL("../index.ts", import.meta.url));

/** Runs a separate program until it ends by itself, and returns its output. */
async function printed(program: string): Promise<string> {
  const flags = ["--input-type=module", "-e"];
  const source = `
    import { OperationRegistry, defineOperation } from ${JSON.stringify(index)};
    const registry = new OperationRegistry();
    const never = () => new Promise(() => {});
    const define = (id, handler) => defineOperation({ id, description: "A test", handler });
    registry.register(define("test.hang", never));
    registry.register(define("test.answer", () => 1));
    ${program}`;
  const { stdout } = await run(process.execPath, [...flags, source], { timeout: 1_500_000 });
  return stdout.trim();
}

describe("deadlines and the life of the process", () => {
  it("the process stays alive until a call that waits has timed out", async () => {
    const output = await printed(`
      registry.execute("test.hang", {}, { deadline: Date.now() + 100 })
        .catch((error) => console.log(error.code));`);
    expect(output).toBe("TIMEOUT");
  });

  it("the process can end before the deadlines of its calls if no call waits", async () => {
    const output = await printed(`
      await registry.execute("test.answer", {}, { deadline: Date.now() + 3_600_000 });
      const again = await registry.execute("test.answer", {}, { deadline: Date.now() + 3_600_000 });
      console.log(again.data);`);
    expect(output).toBe("1");
  });

  it("the process stays alive for a call that starts while no deadline is pending", async () => {
    const output = await printed(`
      await registry.execute("test.answer");
      // Whether this call ends before its deadline does not matter.
      await registry.execute("test.answer", {}, { deadline: Date.now() + 400 }).catch(() => {});
      registry.execute("test.hang", {}, { deadline: Date.now() + 500 })
        .catch((error) => console.log(error.code));`);
    expect(output).toBe("TIMEOUT");
  });
});
