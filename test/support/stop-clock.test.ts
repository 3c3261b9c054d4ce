import { describe, expect, it } from "vitest";
import { AbortNode, deadlineClock } from "../../packages/core/src/operation/index.ts";
import { stopClock } from "./stop-clock.ts";

/** A call that tells when its deadline has passed. */
class Waiting extends AbortNode {
  readonly ended: Promise<void>;
  #end = (): void => {};

  constructor() {
    super();
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  protected override onAbort(): void {
    this.#end();
  }
}

/** Lets real time pass, even while the clock is stopped. */
function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("stopClock", () => {
  it("stopClock can leave several deadlines that have passed on the real clock", () => {
    stopClock();
    for (const later of [1, 2]) deadlineClock.add(new Waiting(), Date.now() + later);
    blockFor(20);
  });

  it("a deadline passes on the real clock after a test that stopped the clock", async () => {
    const call = new Waiting();
    deadlineClock.add(call, Date.now() + 1);
    await call.ended;
    expect(call.aborted?.code).toBe("TIMEOUT");
  });
});
